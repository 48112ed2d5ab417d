#pragma once
#include <wayland-client-core.h>
#include <wayland-server-core.h>

// What libwayland offers as variadic functions, which Swift cannot call.

/// Ends the resource's client with a protocol error. The message is taken as it is.
void cwayland_post_error(struct wl_resource *resource, uint32_t code, const char *message);

/// Takes lines that libwayland logs; `is_server` tells the two libraries apart. The line ends with no newline.
typedef void (*cwayland_log_function)(int is_server, const char *line);

/// Hands the log of both libraries to `function`. Once a process: a later call replaces the earlier one.
void cwayland_set_log(cwayland_log_function function);
