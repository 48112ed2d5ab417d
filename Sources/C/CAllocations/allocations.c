#define _GNU_SOURCE
#include "callocations.h"
#include <stdlib.h>

#if defined(__GLIBC__)
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

enum { MOST_RANGES = 64 };
static struct { uintptr_t begin, end; } ranges[MOST_RANGES];
static int range_count;
static atomic_long count;
static atomic_bool is_counting;

// Where the code of the program itself and of Swift's libraries lies.
static int note_range(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  int is_program = info->dlpi_name == NULL || info->dlpi_name[0] == 0;
  if (!is_program && strstr(info->dlpi_name, "libswift") == NULL) return 0;
  for (int i = 0; i < info->dlpi_phnum && range_count < MOST_RANGES; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || (header->p_flags & PF_X) == 0) continue;
    ranges[range_count].begin = info->dlpi_addr + header->p_vaddr;
    ranges[range_count].end = ranges[range_count].begin + header->p_memsz;
    range_count++;
  }
  return 0;
}

static void note(const void *caller) {
  if (!atomic_load_explicit(&is_counting, memory_order_relaxed)) return;
  for (int i = 0; i < range_count; i++) {
    if ((uintptr_t)caller < ranges[i].begin || (uintptr_t)caller >= ranges[i].end) continue;
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return;
  }
}

void *malloc(size_t size) {
  note(__builtin_return_address(0));
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  note(__builtin_return_address(0));
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  note(__builtin_return_address(0));
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  note(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  note(__builtin_return_address(0));
  void *memory = __libc_memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}

void free(void *memory) { __libc_free(memory); }

void porthole_allocations_begin(void) {
  if (range_count == 0) dl_iterate_phdr(note_range, NULL);
  atomic_store(&count, 0);
  atomic_store(&is_counting, 1);
}

long porthole_allocations_end(void) {
  atomic_store(&is_counting, 0);
  return atomic_load(&count);
}

size_t porthole_heap_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

int porthole_allocations_counted(void) { return 1; }

#else

void porthole_allocations_begin(void) {}
long porthole_allocations_end(void) { return 0; }
size_t porthole_heap_bytes(void) { return 0; }
int porthole_allocations_counted(void) { return 0; }

#endif
