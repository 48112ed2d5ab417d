#pragma once
#include <stddef.h>
#include <stdint.h>

// What wlcs, Wayland's conformance suite, wants of a server: tables of functions, laid out as it reads them. Written from
// its interface, so that the build needs nothing of it. Every object is a table that the functions get back.

struct wl_display;
struct wl_surface;

/// A pointer device. Places are in 1/256 of the desk's units.
struct cwlcs_pointer {
  uint32_t version;
  void (*move_absolute)(struct cwlcs_pointer *, int32_t x, int32_t y);
  void (*move_relative)(struct cwlcs_pointer *, int32_t x, int32_t y);
  void (*button_up)(struct cwlcs_pointer *, int button);
  void (*button_down)(struct cwlcs_pointer *, int button);
  void (*destroy)(struct cwlcs_pointer *);
  // Ours.
  void *owner;
};

/// A finger. Places are in whole units of the desk, unlike a pointer's.
struct cwlcs_touch {
  uint32_t version;
  void (*down)(struct cwlcs_touch *, int32_t x, int32_t y);
  void (*move)(struct cwlcs_touch *, int32_t x, int32_t y);
  void (*up)(struct cwlcs_touch *);
  void (*destroy)(struct cwlcs_touch *);
  // Ours.
  void *owner;
};

struct cwlcs_extension {
  const char *name;
  uint32_t version;
};

struct cwlcs_description {
  uint32_t version;
  size_t extension_count;
  const struct cwlcs_extension *extensions;
};

/// A server for one test.
struct cwlcs_server {
  uint32_t version;
  void (*start)(struct cwlcs_server *);
  void (*stop)(struct cwlcs_server *);
  int (*create_client_socket)(struct cwlcs_server *);
  void (*position_window)(struct cwlcs_server *, struct wl_display *, struct wl_surface *, int x, int y);
  struct cwlcs_pointer *(*create_pointer)(struct cwlcs_server *);
  struct cwlcs_touch *(*create_touch)(struct cwlcs_server *);
  const struct cwlcs_description *(*describe)(const struct cwlcs_server *);
  void *start_on_this_thread;
  // Ours.
  void *owner;
};

/// What the suite looks for in a module.
struct cwlcs_integration {
  uint32_t version;
  struct cwlcs_server *(*create_server)(int argc, const char **argv);
  void (*destroy_server)(struct cwlcs_server *);
};
