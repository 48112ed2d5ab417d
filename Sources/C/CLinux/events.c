#define _GNU_SOURCE
#include "clinux.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { longest_batch = 64 };

int clinux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int control(int epoll, int operation, int fd, unsigned int readiness, unsigned long long number) {
  struct epoll_event event = {0};
  if (readiness & clinux_ready_read) event.events |= EPOLLIN;
  if (readiness & clinux_ready_write) event.events |= EPOLLOUT;
  event.data.u64 = number;
  return epoll_ctl(epoll, operation, fd, &event);
}

int clinux_epoll_add(int epoll, int fd, unsigned int readiness, unsigned long long number) {
  return control(epoll, EPOLL_CTL_ADD, fd, readiness, number);
}

int clinux_epoll_change(int epoll, int fd, unsigned int readiness, unsigned long long number) {
  return control(epoll, EPOLL_CTL_MOD, fd, readiness, number);
}

int clinux_epoll_remove(int epoll, int fd) { return control(epoll, EPOLL_CTL_DEL, fd, 0, 0); }

int clinux_epoll_wait(int epoll, struct clinux_event *events, int capacity, int timeout_milliseconds) {
  struct epoll_event ready[longest_batch];
  int count = epoll_wait(epoll, ready, capacity < longest_batch ? capacity : longest_batch, timeout_milliseconds);
  for (int i = 0; i < count; i++) {
    events[i].number = ready[i].data.u64;
    events[i].readiness = (ready[i].events & EPOLLIN ? clinux_ready_read : 0) |
                          (ready[i].events & EPOLLOUT ? clinux_ready_write : 0) |
                          (ready[i].events & (EPOLLHUP | EPOLLERR) ? clinux_ready_hang_up : 0);
  }
  return count;
}

int clinux_create_event(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int clinux_create_timer(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }

static struct timespec timespec_of(unsigned long long nanoseconds) {
  struct timespec time = {.tv_sec = (time_t)(nanoseconds / 1000000000), .tv_nsec = (long)(nanoseconds % 1000000000)};
  return time;
}

int clinux_set_timer(int fd, unsigned long long at_nanoseconds, unsigned long long every_nanoseconds) {
  struct itimerspec setting = {.it_interval = timespec_of(every_nanoseconds),
                               .it_value = timespec_of(at_nanoseconds)};
  return timerfd_settime(fd, TFD_TIMER_ABSTIME, &setting, NULL);
}

int clinux_create_signals(const int *signals, int count) {
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < count; i++) sigaddset(&set, signals[i]);
  int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (fd < 0) return -1;
  int code = pthread_sigmask(SIG_BLOCK, &set, NULL);
  if (code == 0) return fd;
  close(fd);
  errno = code;
  return -1;
}

int clinux_next_signal(int fd) {
  struct signalfd_siginfo info;
  return read(fd, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : -1;
}
