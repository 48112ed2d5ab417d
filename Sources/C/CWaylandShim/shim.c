#include "cwayland_shim.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static _Atomic(cwayland_log_function) log_function;

static void write_line(int is_server, const char *format, va_list arguments) {
  cwayland_log_function function = atomic_load(&log_function);
  if (function == NULL) return;
  char line[1024];
  vsnprintf(line, sizeof line, format, arguments);
  line[strcspn(line, "\n")] = '\0';
  function(is_server, line);
}

static void server_log(const char *format, va_list arguments) { write_line(1, format, arguments); }
static void client_log(const char *format, va_list arguments) { write_line(0, format, arguments); }

void cwayland_post_error(struct wl_resource *resource, uint32_t code, const char *message) {
  wl_resource_post_error(resource, code, "%s", message);
}

void cwayland_set_log(cwayland_log_function function) {
  atomic_store(&log_function, function);
  wl_log_set_handler_server(server_log);
  wl_log_set_handler_client(client_log);
}
