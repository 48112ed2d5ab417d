#define _GNU_SOURCE
#include "clinux.h"

#include <errno.h>
#include <linux/magic.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>

#ifndef DMA_BUF_MAGIC
#define DMA_BUF_MAGIC 0x444d4142
#endif

int clinux_is_dma_buffer(int fd) {
  struct statfs filesystem;
  return fstatfs(fd, &filesystem) == 0 && filesystem.f_type == DMA_BUF_MAGIC;
}

int clinux_is_fence(int fd) {
  struct sync_file_info info = {0};
  return ioctl(fd, SYNC_IOC_FILE_INFO, &info) == 0;
}

int clinux_wait_readable(int fd, int timeout_milliseconds) {
  struct pollfd descriptor = {.fd = fd, .events = POLLIN};
  for (;;) {
    int count = poll(&descriptor, 1, timeout_milliseconds);
    if (count >= 0 || errno != EINTR) return count;
  }
}
