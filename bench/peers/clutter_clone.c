// N ClutterClones of the board: Clutter 1.x under an X server, without waiting for a screen.
#include <clutter/clutter.h>
#include "board.h"

static int painted;
static ClutterActor *hand;

static void count(ClutterActor *stage, gpointer unused) { painted++; }

static ClutterColor color(Paint p) { return (ClutterColor){p.r * 255, p.g * 255, p.b * 255, 255}; }

static gboolean draw_card(ClutterCanvas *canvas, cairo_t *cairo, int w, int h, gpointer number) {
  Paint p = board_card_paint(GPOINTER_TO_INT(number));
  double r = CARD_RADIUS;
  cairo_set_operator(cairo, CAIRO_OPERATOR_SOURCE);
  cairo_set_source_rgba(cairo, 0, 0, 0, 0);
  cairo_paint(cairo);
  cairo_set_source_rgb(cairo, p.r, p.g, p.b);
  cairo_arc(cairo, w - r, r, r, -G_PI_2, 0);
  cairo_arc(cairo, w - r, h - r, r, 0, G_PI_2);
  cairo_arc(cairo, r, h - r, r, G_PI_2, G_PI);
  cairo_arc(cairo, r, r, r, G_PI, 1.5 * G_PI);
  cairo_fill(cairo);
  return TRUE;
}

static ClutterActor *make_board(void) {
  ClutterActor *board = clutter_actor_new();
  ClutterColor ground = color(board_ground()), paint = color(board_hand());
  clutter_actor_set_size(board, BOARD_W, BOARD_H);
  clutter_actor_set_background_color(board, &ground);
  for (int i = 0; i < CARDS; i++) {
    Box box = board_card(i);
    ClutterActor *card = clutter_actor_new();
    ClutterContent *content = clutter_canvas_new();
    g_signal_connect(content, "draw", G_CALLBACK(draw_card), GINT_TO_POINTER(i));
    clutter_canvas_set_size(CLUTTER_CANVAS(content), box.w, box.h);
    clutter_actor_set_content(card, content);
    clutter_actor_set_position(card, box.x, box.y);
    clutter_actor_set_size(card, box.w, box.h);
    clutter_actor_add_child(board, card);
  }
  hand = clutter_actor_new();
  clutter_actor_set_background_color(hand, &paint);
  clutter_actor_set_size(hand, HAND_W, HAND_H);
  clutter_actor_set_position(hand, (BOARD_W - HAND_W) / 2.0, (BOARD_H - HAND_H) / 2.0);
  clutter_actor_set_pivot_point(hand, 0.5, 0.5);
  clutter_actor_add_child(board, hand);
  return board;
}

static void draw(int frame, void *unused) {
  int before = painted;
  clutter_actor_set_rotation_angle(hand, CLUTTER_Z_AXIS, fmod(frame * DEGREES_A_FRAME, 360));
  while (painted == before) g_main_context_iteration(NULL, TRUE);
}

int main(int argc, char **argv) {
  int is_window, n;
  board_arguments(argc, argv, &is_window, &n);
  // Else it would wait for sixty frames a second, and the figure would be of waiting.
  g_setenv("CLUTTER_VBLANK", "none", TRUE);
  g_setenv("CLUTTER_DEFAULT_FPS", "1000", TRUE);
  clutter_set_windowing_backend("x11");
  if (clutter_init(NULL, NULL) != CLUTTER_INIT_SUCCESS) return fputs("clutter: no display\n", stderr), 1;
  ClutterActor *stage = clutter_stage_new(), *board = make_board();
  clutter_actor_set_size(stage, WINDOW_W, WINDOW_H);
  clutter_actor_add_child(stage, board);
  clutter_actor_hide(board);
  for (int i = 0; i < n; i++) {
    Box place = board_place(is_window, n, i);
    ClutterActor *clone = clutter_clone_new(board);
    clutter_actor_set_position(clone, place.x, place.y);
    clutter_actor_set_size(clone, place.w, place.h);
    clutter_actor_add_child(stage, clone);
  }
  clutter_actor_show(stage);
  g_signal_connect(stage, "after-paint", G_CALLBACK(count), NULL);
  return board_serve(draw, NULL);
}
