#pragma once

// What Linux offers and Swift's import of the C library leaves out.

/// Names the calling thread, as `top -H` and a debugger show it. No more than 15 bytes are kept.
/// Returns 0 or an errno value.
int clinux_set_thread_name(const char *name);
