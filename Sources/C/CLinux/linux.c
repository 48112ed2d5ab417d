#define _GNU_SOURCE
#include "clinux.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

int clinux_set_thread_name(const char *name) {
  char kept[16];
  strncpy(kept, name, sizeof kept - 1);
  kept[sizeof kept - 1] = '\0';
  return pthread_setname_np(pthread_self(), kept);
}

int clinux_create_pipe(int fds[2]) { return pipe2(fds, O_CLOEXEC); }

const char *clinux_error_name(int error) {
#ifdef __GLIBC__
  const char *text = strerrordesc_np(error);
  return text ? text : "unknown error";
#else
  return strerror(error);
#endif
}
