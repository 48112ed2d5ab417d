// The board that every peer shows N times, and how a peer is driven: `porthole-bench peer` draws the same.
//
// The board is 320 × 180: a ground, twenty rounded cards in five columns, and a hand of 12 × 140 that turns about the middle.
// A peer is started as `PEER SUITE N`, says "ready", and for each line "draw K" on its standard input draws K frames and
// answers "K CPU WALL", in nanoseconds: its own CPU time, and what the wall's clock says.
#pragma once
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WINDOW_W = 1280, WINDOW_H = 720, BOARD_W = 320, BOARD_H = 180, CARDS = 20, CARD_W = 52, CARD_H = 36, HOLE = 64 };
#define CARD_RADIUS 6.0
#define HAND_W 12
#define HAND_H 140
#define DEGREES_A_FRAME 3.0

typedef struct { double x, y, w, h; } Box;
typedef struct { double r, g, b; } Paint;

static inline Paint board_ground(void) { return (Paint){0.14, 0.17, 0.22}; }
static inline Paint board_hand(void) { return (Paint){0.98, 0.72, 0.2}; }

static inline Box board_card(int i) {
  return (Box){6.0 + (i % 5) * 64, 5.0 + (i / 5) * 44, CARD_W, CARD_H};
}

static inline Paint board_card_paint(int i) {
  double part = i / (double)CARDS;
  return (Paint){0.2 + 0.6 * part, 0.35 + 0.3 * (1 - part), 0.85 - 0.5 * part};
}

static inline int board_columns(int n) {
  int columns = 1;
  while (columns * columns < n) columns++;
  return columns;
}

// Where copy i of n lies, in the window.
static inline Box board_place(int is_window, int n, int i) {
  int columns = board_columns(n), rows = (n + columns - 1) / columns;
  if (is_window) {
    double x = floor(WINDOW_W * (i % columns + 0.5) / columns - HOLE / 2 + 0.5);
    double y = floor(WINDOW_H * (i / columns + 0.5) / rows - HOLE / 2 + 0.5);
    Box b = {fmax(x, 0), fmax(y, 0), 0, 0};
    b.w = fmin(x + HOLE, WINDOW_W) - b.x;
    b.h = fmin(y + HOLE, WINDOW_H) - b.y;
    return b;
  }
  double w = WINDOW_W / (double)columns, h = WINDOW_H / (double)columns;
  return (Box){i % columns * w, i / columns * h, w, h};
}

static inline long long clock_ns(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

// Reads orders until there are none. `draw` draws frame f and returns when it is done.
static inline int board_serve(void (*draw)(int frame, void *), void *context) {
  char line[64];
  int frame = 0;
  for (; frame < 10; frame++) draw(frame, context);
  puts("ready");
  fflush(stdout);
  while (fgets(line, sizeof line, stdin)) {
    int count = 0;
    if (sscanf(line, "draw %d", &count) != 1 || count < 1) break;
    long long cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID), wall = clock_ns(CLOCK_MONOTONIC);
    for (int i = 0; i < count; i++) draw(frame++, context);
    printf("%d %lld %lld\n", count, clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu, clock_ns(CLOCK_MONOTONIC) - wall);
    fflush(stdout);
  }
  return 0;
}

static inline void board_arguments(int argc, char **argv, int *is_window, int *n) {
  *is_window = argc > 1 && strcmp(argv[1], "portal-window") == 0;
  *n = argc > 2 ? atoi(argv[2]) : 16;
  if (*n < 1 || *n > 65536) {
    fprintf(stderr, "usage: %s portal-grid|portal-window N\n", argv[0]);
    exit(64);
  }
}
