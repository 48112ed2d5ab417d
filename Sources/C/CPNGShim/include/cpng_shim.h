#pragma once
#include <stddef.h>
#include <stdint.h>

// What of libpng stands behind setjmp, which Swift cannot call: reading with all bits and what a file says of its
// colours, and writing 16 bits. Nothing here prints, and nothing jumps out.

typedef struct cpng_reader cpng_reader;

typedef struct {
  uint32_t width, height;
  /// Bits of a component as it is read: 8 or 16.
  int depth;
  int has_alpha;
  int is_gray;
  /// The file says that it is sRGB.
  int is_srgb;
  /// What the file was encoded with, as 0.45455; 0 where it says nothing.
  double gamma;
  /// x and y of white, red, green and blue, where they are given.
  int has_chromaticities;
  double chromaticities[8];
  /// An ICC profile, alive as long as the reader; NULL for none.
  const uint8_t *profile;
  size_t profile_size;
} cpng_info;

/// Reads up to the pixels of a file's bytes, which must outlive the reader. NULL where they make no sense, with `message`
/// saying why.
cpng_reader *cpng_open(const uint8_t *bytes, size_t count, cpng_info *info, char message[128]);

/// Reads RGBA, of 8 bits, or of 16 in the machine's order: four components for each pixel. 0 where they make no sense.
int cpng_read(cpng_reader *reader, void *pixels, char message[128]);

void cpng_close(cpng_reader *reader);

/// A PNG of 16 bits from RGBA in the machine's order, without the fourth component where there is no transparency. It says
/// that it is sRGB. NULL where it can't be, with `message` saying why; to be freed by `free`.
uint8_t *cpng_write(
  const uint16_t *pixels, uint32_t width, uint32_t height, int has_alpha, size_t *count, char message[128]);

/// A PNG of 8 bits from RGBA, rows `stride` bytes apart, without the fourth component where there is no transparency:
/// compressed as fast as can be. NULL where it can't be, with `message` saying why; to be freed by `free`.
uint8_t *cpng_write_quickly(
  const uint8_t *pixels, size_t stride, uint32_t width, uint32_t height, int has_alpha, size_t *count,
  char message[128]);
