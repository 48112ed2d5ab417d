#pragma once

// What Linux offers and Swift's import of the C library leaves out.

/// Names the calling thread, as `top -H` and a debugger show it. No more than 15 bytes are kept.
/// Returns 0 or an errno value.
int clinux_set_thread_name(const char *name);

/// Writes the numbers of the processors on which the calling thread may run, in order. Returns how many, no more than
/// `capacity`, or -1 with errno.
int clinux_get_processors(int *processors, int capacity);

/// Has the calling thread, and those that it starts, run on these processors alone. Returns 0, or -1 with errno.
int clinux_set_processors(const int *processors, int count);

/// Makes anonymous memory that can be sealed, closed on exec. Returns a descriptor or -1 with errno.
int clinux_create_memory(const char *name);

/// Forbids that the memory is made smaller, for everyone and for good. Returns 0, or -1 with errno.
int clinux_seal_against_shrinking(int fd);

/// Whether the descriptor is memory that can't be made smaller any more.
int clinux_is_sealed_against_shrinking(int fd);

/// Whether the descriptor is a regular file that lives in memory, of which no read waits for a disk, a network or
/// another process.
int clinux_is_memory_file(int fd);

// Waiting for descriptors. The C library's header is no module, and its struct is packed.

/// A descriptor that is ready: what for, and the number it was added with.
struct clinux_event {
  unsigned long long number;
  unsigned int readiness;
};

enum { clinux_ready_read = 1, clinux_ready_write = 2, clinux_ready_hang_up = 4 };

/// Returns a descriptor, or -1 with errno.
int clinux_epoll_create(void);

/// Adds, changes or removes what `fd` is waited for. Each returns 0, or -1 with errno.
int clinux_epoll_add(int epoll, int fd, unsigned int readiness, unsigned long long number);
int clinux_epoll_change(int epoll, int fd, unsigned int readiness, unsigned long long number);
int clinux_epoll_remove(int epoll, int fd);

/// Waits, for ever with a timeout of -1, and gives up to 64 events. Returns their number, or -1 with errno.
int clinux_epoll_wait(int epoll, struct clinux_event *events, int capacity, int timeout_milliseconds);

/// Descriptors that don't block and are closed on exec; or -1 with errno.
int clinux_create_event(void);
int clinux_create_timer(void);

/// Sets a timer of the monotonic clock: to go off at a time, 0 for never, and then at each interval, 0 for once.
/// Returns 0, or -1 with errno.
int clinux_set_timer(int fd, unsigned long long at_nanoseconds, unsigned long long every_nanoseconds);

/// The next signal of a signalfd, or -1 where there is none.
int clinux_next_signal(int fd);

/// A descriptor to read the signals of `signals` from, which are blocked on the calling thread from then on;
/// or -1 with errno.
int clinux_create_signals(const int *signals, int count);

/// A pipe, closed on exec: fds[0] is read from. Returns 0, or -1 with errno.
int clinux_create_pipe(int fds[2]);

/// What the errno value means, in words; lives as long as the process.
const char *clinux_error_name(int error);

// Memory and marks of drivers.

/// Whether the descriptor is a dma-buf. Waits for nothing.
int clinux_is_dma_buffer(int fd);

/// Whether the descriptor is a fence of a driver's (a sync file), which the kernel sees to that it is passed.
int clinux_is_fence(int fd);

/// Waits until the descriptor is readable, as a fence is when it is passed. Returns 1, 0 after the time, or -1 with errno.
int clinux_wait_readable(int fd, int timeout_milliseconds);
