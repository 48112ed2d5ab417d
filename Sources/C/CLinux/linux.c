#define _GNU_SOURCE
#include "clinux.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
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

int clinux_get_processors(int *processors, int capacity) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return -1;
  int count = 0;
  for (int number = 0; number < CPU_SETSIZE && count < capacity; number++)
    if (CPU_ISSET(number, &set)) processors[count++] = number;
  return count;
}

int clinux_set_processors(const int *processors, int count) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int i = 0; i < count; i++)
    if (processors[i] >= 0 && processors[i] < CPU_SETSIZE) CPU_SET(processors[i], &set);
  return sched_setaffinity(0, sizeof set, &set);
}
