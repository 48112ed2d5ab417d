#include "cpng_shim.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cpng_reader {
  png_structp png;
  png_infop info;
  const uint8_t *bytes;
  size_t count, position;
  uint32_t width, height;
  int depth;
};

static void fail(png_structp png, png_const_charp message) {
  char *target = png_get_error_ptr(png);
  if (target != NULL) snprintf(target, 128, "%s", message);
  png_longjmp(png, 1);
}

// A file may have many harmless faults.
static void ignore(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void take(png_structp png, png_bytep target, size_t count) {
  cpng_reader *reader = png_get_io_ptr(png);
  if (count > reader->count - reader->position) png_error(png, "the data ends too early");
  memcpy(target, reader->bytes + reader->position, count);
  reader->position += count;
}

static void describe_colours(cpng_reader *reader, cpng_info *info) {
  int intent = 0;
  info->is_srgb = png_get_sRGB(reader->png, reader->info, &intent) != 0;
  double gamma = 0;
  if (png_get_gAMA(reader->png, reader->info, &gamma) != 0) info->gamma = gamma;
  double *c = info->chromaticities;
  info->has_chromaticities =
    png_get_cHRM(reader->png, reader->info, &c[0], &c[1], &c[2], &c[3], &c[4], &c[5], &c[6], &c[7]) != 0;
  png_charp name = NULL;
  int compression = 0;
  png_bytep profile = NULL;
  png_uint_32 size = 0;
  if (png_get_iCCP(reader->png, reader->info, &name, &compression, &profile, &size) != 0) {
    info->profile = profile;
    info->profile_size = size;
  }
}

cpng_reader *cpng_open(const uint8_t *bytes, size_t count, cpng_info *info, char message[128]) {
  memset(info, 0, sizeof *info);
  cpng_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) {
    snprintf(message, 128, "out of memory");
    return NULL;
  }
  reader->bytes = bytes;
  reader->count = count;
  reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, message, fail, ignore);
  reader->info = reader->png != NULL ? png_create_info_struct(reader->png) : NULL;
  if (reader->info == NULL) {
    snprintf(message, 128, "out of memory");
    cpng_close(reader);
    return NULL;
  }
  if (setjmp(png_jmpbuf(reader->png))) {
    cpng_close(reader);
    return NULL;
  }
#ifdef PNG_BENIGN_ERRORS_SUPPORTED
  png_set_benign_errors(reader->png, 1);
#endif
  png_set_read_fn(reader->png, reader, take);
  png_read_info(reader->png, reader->info);
  int depth = 0, type = 0;
  png_get_IHDR(reader->png, reader->info, &reader->width, &reader->height, &depth, &type, NULL, NULL, NULL);
  reader->depth = depth == 16 ? 16 : 8;
  info->width = reader->width;
  info->height = reader->height;
  info->depth = reader->depth;
  info->has_alpha = (type & PNG_COLOR_MASK_ALPHA) != 0 || png_get_valid(reader->png, reader->info, PNG_INFO_tRNS) != 0;
  info->is_gray = (type & PNG_COLOR_MASK_COLOR) == 0;
  describe_colours(reader, info);
  return reader;
}

int cpng_read(cpng_reader *reader, void *pixels, char message[128]) {
  png_structp png = reader->png;
  png_set_error_fn(png, message, fail, ignore);
  if (setjmp(png_jmpbuf(png))) return 0;
  png_set_expand(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, reader->depth == 16 ? 0xFFFF : 0xFF, PNG_FILLER_AFTER);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (reader->depth == 16) png_set_swap(png);
#endif
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, reader->info);
  size_t row = (size_t)reader->width * 4 * (reader->depth / 8);
  if (png_get_rowbytes(png, reader->info) != row) png_error(png, "its rows have another length than they should");
  for (int pass = 0; pass < passes; pass++)
    for (uint32_t y = 0; y < reader->height; y++) png_read_row(png, (png_bytep)pixels + y * row, NULL);
  return 1;
}

void cpng_close(cpng_reader *reader) {
  if (reader == NULL) return;
  if (reader->png != NULL) png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader);
}

// Writing.

typedef struct {
  uint8_t *bytes;
  size_t count, room;
} sink;

static void put(png_structp png, png_bytep source, size_t count) {
  sink *out = png_get_io_ptr(png);
  if (count > out->room - out->count) {
    size_t room = out->room * 2 + count + 4096;
    uint8_t *bytes = realloc(out->bytes, room);
    if (bytes == NULL) png_error(png, "out of memory");
    out->bytes = bytes;
    out->room = room;
  }
  memcpy(out->bytes + out->count, source, count);
  out->count += count;
}

static void flush(png_structp png) { (void)png; }

static uint8_t *encode(
  const uint8_t *pixels, size_t stride, uint32_t width, uint32_t height, int depth, int has_alpha, int is_quick,
  size_t *count, char message[128]) {
  // Not on the stack, whose values a jump may lose.
  sink *out = calloc(1, sizeof *out);
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, message, fail, ignore);
  png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
  if (out == NULL || info == NULL) {
    snprintf(message, 128, "out of memory");
    png_destroy_write_struct(&png, &info);
    free(out);
    return NULL;
  }
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    free(out->bytes);
    free(out);
    return NULL;
  }
  png_set_write_fn(png, out, put, flush);
  png_set_IHDR(
    png, info, width, height, depth, has_alpha ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
    PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (is_quick) {
    // Measured: a quarter of the time of what libpng does by itself, and of interfaces about the same size.
    png_set_compression_level(png, 1);
    png_set_filter(png, 0, PNG_FILTER_NONE);
  } else {
    png_set_sRGB(png, info, PNG_sRGB_INTENT_RELATIVE);
  }
  png_write_info(png, info);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (depth == 16) png_set_swap(png);
#endif
  if (!has_alpha) png_set_filler(png, 0, PNG_FILLER_AFTER);
  for (uint32_t y = 0; y < height; y++) png_write_row(png, pixels + y * stride);
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  uint8_t *bytes = out->bytes;
  *count = out->count;
  free(out);
  return bytes;
}

uint8_t *cpng_write(
  const uint16_t *pixels, uint32_t width, uint32_t height, int has_alpha, size_t *count, char message[128]) {
  return encode((const uint8_t *)pixels, (size_t)width * 8, width, height, 16, has_alpha, 0, count, message);
}

uint8_t *cpng_write_quickly(
  const uint8_t *pixels, size_t stride, uint32_t width, uint32_t height, int has_alpha, size_t *count,
  char message[128]) {
  return encode(pixels, stride, width, height, 8, has_alpha, 1, count, message);
}
