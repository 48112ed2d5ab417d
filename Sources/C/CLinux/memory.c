#define _GNU_SOURCE
#include "clinux.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>

int clinux_create_memory(const char *name) { return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); }

int clinux_seal_against_shrinking(int fd) { return fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK); }

int clinux_is_sealed_against_shrinking(int fd) {
  int seals = fcntl(fd, F_GET_SEALS);
  return seals >= 0 && (seals & F_SEAL_SHRINK) != 0;
}

int clinux_is_memory_file(int fd) {
  struct stat status;
  struct statfs filesystem;
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && fstatfs(fd, &filesystem) == 0 &&
         filesystem.f_type == TMPFS_MAGIC;
}
