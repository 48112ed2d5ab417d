#pragma once
// One module for both ends: the two libraries share wayland-util.h, and two modules would each have a wl_interface.
#include <wayland-server-core.h>
#include <wayland-client-core.h>
