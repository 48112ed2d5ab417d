// Counts allocations by code of this program and of the Swift runtime; those of drivers and of other C libraries don't count.
// Linked into an executable, its functions take the place of the C library's (glibc alone; elsewhere nothing is counted).
#pragma once
#include <stddef.h>

// From now on, allocations are counted, from zero.
void porthole_allocations_begin(void);
// Ends that; how many there were.
long porthole_allocations_end(void);
// Bytes that are taken from the heap and not given back.
size_t porthole_heap_bytes(void);
// Whether anything is counted here.
int porthole_allocations_counted(void);
