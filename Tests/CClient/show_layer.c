// Shows another process's layer and writes the picture to a file: a client of the render server in C, with libwayland
// and what wayland-scanner makes of protocol/porthole-v1.xml, and nothing else.
//
//   show_layer SOCKET HANDLE WIDTH HEIGHT FILE
//
// HANDLE is 32 hexadecimal digits. FILE gets WIDTH × HEIGHT pixels of four bytes: red, green, blue, alpha, premultiplied.
// Exits with 0, or with 1 and a line that says why.

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wayland-client.h>

#include "porthole-v1-client.h"

struct state {
  struct porthole_v1 *porthole;
  bool answered, refused;
  bool imported, available;
  bool captured, failed;
};

static int fail(const char *what) {
  fprintf(stderr, "show_layer: %s\n", what);
  return 1;
}

// MARK: Events

static void on_global(
    void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version) {
  (void)version;
  struct state *state = data;
  if (strcmp(interface, porthole_v1_interface.name) == 0)
    state->porthole = wl_registry_bind(registry, name, &porthole_v1_interface, 1);
}

static void on_global_remove(void *data, struct wl_registry *registry, uint32_t name) {
  (void)data, (void)registry, (void)name;
}

static const struct wl_registry_listener registry_listener = {on_global, on_global_remove};

static void on_limit(void *data, struct porthole_v1 *porthole, uint32_t limit, uint32_t high, uint32_t low) {
  (void)data, (void)porthole, (void)limit, (void)high, (void)low;
}

static void on_done(void *data, struct porthole_v1 *porthole) { (void)data, (void)porthole; }

static void on_committed(void *data, struct porthole_v1 *porthole, uint32_t serial) {
  (void)porthole, (void)serial;
  ((struct state *)data)->answered = true;
}

static void on_refused(
    void *data, struct porthole_v1 *porthole, uint32_t serial, uint32_t reason, struct porthole_layer_v1 *layer,
    const char *property, const char *message) {
  (void)porthole, (void)serial, (void)reason, (void)layer;
  struct state *state = data;
  state->answered = state->refused = true;
  fprintf(stderr, "show_layer: %s: %s\n", property ? property : "refused", message);
}

static void on_dma_buffer_format(
    void *data, struct porthole_v1 *porthole, uint32_t format, uint32_t modifier_hi, uint32_t modifier_lo) {
  (void)data, (void)porthole, (void)format, (void)modifier_hi, (void)modifier_lo;
}

static void on_no_dma_buffers(void *data, struct porthole_v1 *porthole, const char *reason) {
  (void)data, (void)porthole, (void)reason;
}

static const struct porthole_v1_listener porthole_listener = {
    on_limit, on_done, on_committed, on_refused, on_dma_buffer_format, on_no_dma_buffers};

static void on_available(void *data, struct porthole_import_v1 *import) {
  (void)import;
  struct state *state = data;
  state->imported = state->available = true;
}

static void on_unavailable(void *data, struct porthole_import_v1 *import) {
  (void)import;
  ((struct state *)data)->imported = true;
}

static const struct porthole_import_v1_listener import_listener = {on_available, on_unavailable};

static void on_size(void *data, struct porthole_capture_v1 *capture, uint32_t width, uint32_t height) {
  (void)data, (void)capture, (void)width, (void)height;
}

static void on_ready(
    void *data, struct porthole_capture_v1 *capture, uint32_t sequence_hi, uint32_t sequence_lo, uint32_t seconds_hi,
    uint32_t seconds_lo, uint32_t nanoseconds) {
  (void)capture, (void)sequence_hi, (void)sequence_lo, (void)seconds_hi, (void)seconds_lo, (void)nanoseconds;
  ((struct state *)data)->captured = true;
}

static void on_skipped(void *data, struct porthole_capture_v1 *capture, uint32_t count) {
  (void)data, (void)capture, (void)count;
}

static void on_failed(void *data, struct porthole_capture_v1 *capture, uint32_t reason) {
  (void)capture, (void)reason;
  struct state *state = data;
  state->captured = state->failed = true;
}

static const struct porthole_capture_v1_listener capture_listener = {on_size, on_ready, on_skipped, on_failed};

// MARK: Values

static struct wl_array bytes(void *data, size_t size) {
  struct wl_array array = {.size = size, .alloc = size, .data = data};
  return array;
}

// A record of porthole_layer_v1.set with four numbers or fewer.
struct record {
  uint32_t key, count;
  double value[4];
};

static void set(struct porthole_layer_v1 *layer, struct record record) {
  struct wl_array array = bytes(&record, 8 + 8 * record.count);
  porthole_layer_v1_set(layer, &array);
}

static bool read_handle(const char *text, unsigned char handle[16]) {
  if (strlen(text) != 32) return false;
  for (int i = 0; i < 16; i++) {
    char digits[3] = {text[2 * i], text[2 * i + 1], 0};
    char *end;
    handle[i] = (unsigned char)strtoul(digits, &end, 16);
    if (end != digits + 2) return false;
  }
  return true;
}

int main(int count, char **words) {
  if (count != 6) return fail("usage: show_layer SOCKET HANDLE WIDTH HEIGHT FILE");
  unsigned char handle[16];
  if (!read_handle(words[2], handle)) return fail("a handle is 32 hexadecimal digits");
  uint32_t width = (uint32_t)strtoul(words[3], NULL, 10), height = (uint32_t)strtoul(words[4], NULL, 10);

  struct state state = {0};
  struct wl_display *display = wl_display_connect(words[1]);
  if (!display) return fail("no server answers at the socket");
  struct wl_registry *registry = wl_display_get_registry(display);
  wl_registry_add_listener(registry, &registry_listener, &state);
  wl_display_roundtrip(display);
  if (!state.porthole) return fail("the server is not Porthole's");
  porthole_v1_add_listener(state.porthole, &porthole_listener, &state);
  porthole_v1_set_name(state.porthole, "show_layer");

  struct wl_array array = bytes(handle, sizeof handle);
  struct porthole_import_v1 *import = porthole_v1_import_layer(state.porthole, &array);
  porthole_import_v1_add_listener(import, &import_listener, &state);

  // A portal as large as the output, with its anchor at the top left.
  struct porthole_layer_v1 *portal = porthole_v1_create_layer(state.porthole, PORTHOLE_LAYER_V1_KIND_PORTAL);
  set(portal, (struct record){PORTHOLE_LAYER_V1_PROPERTY_BOUNDS, 4, {0, 0, width, height}});
  set(portal, (struct record){PORTHOLE_LAYER_V1_PROPERTY_ANCHOR_POINT, 2, {0, 0}});
  porthole_layer_v1_set_source_import(portal, import);

  double scale = 1;
  array = bytes(&scale, sizeof scale);
  struct porthole_output_v1 *output = porthole_v1_create_output(state.porthole, width, height, &array, 0, 0);
  porthole_output_v1_set_root(output, portal);
  porthole_v1_commit(state.porthole, 1);

  int file = open(words[5], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return fail("the file can't be written");
  struct porthole_capture_v1 *capture =
      porthole_output_v1_capture_to_file(output, file, PORTHOLE_CAPTURE_V1_FORMAT_RAW, 1);
  close(file);
  porthole_capture_v1_add_listener(capture, &capture_listener, &state);

  while (!state.answered || !state.imported || (!state.captured && !state.refused)) {
    if (wl_display_dispatch(display) < 0) return fail("the server ended the connection");
  }
  if (state.refused) return fail("the commit was refused");
  if (!state.available) return fail("the handle is not good");
  if (state.failed) return fail("the picture could not be captured");

  porthole_capture_v1_destroy(capture);
  porthole_output_v1_destroy(output);
  porthole_layer_v1_destroy(portal);
  porthole_import_v1_destroy(import);
  porthole_v1_destroy(state.porthole);
  wl_registry_destroy(registry);
  wl_display_disconnect(display);
  return 0;
}
