#pragma once
#include <dlfcn.h>
#include <libavcodec/avcodec.h>
#include <libavdevice/version.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/dict.h>
#include <libavutil/error.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/macros.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

// What the importer can't see: macros that are no plain numbers.

static inline int ph_error_end(void) { return AVERROR_EOF; }
static inline int ph_error_again(void) { return AVERROR(EAGAIN); }
static inline int ph_error_invalid(void) { return AVERROR_INVALIDDATA; }
static inline int64_t ph_no_time(void) { return AV_NOPTS_VALUE; }

// The library of devices draws in half a desktop, so it is loaded where a camera is asked for and not before; 0 where it
// can't be.
static inline int ph_register_devices(void) {
  void *library = dlopen("libavdevice.so." AV_STRINGIFY(LIBAVDEVICE_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
  void (*register_all)(void) = (void (*)(void))dlsym(library, "avdevice_register_all");
  if (!register_all) return 0;
  register_all();
  return 1;
}

// The driver of that name, of devices that give pictures; NULL for none, and for what reads files.
static inline const AVInputFormat *ph_find_device(const char *name) {
  const AVInputFormat *format = av_find_input_format(name);
  if (!format || !format->priv_class) return NULL;
  AVClassCategory category = format->priv_class->category;
  return category == AV_CLASS_CATEGORY_DEVICE_VIDEO_INPUT || category == AV_CLASS_CATEGORY_DEVICE_INPUT ? format : NULL;
}

static inline enum AVPixelFormat ph_format_rgb(void) { return AV_PIX_FMT_0RGB32; }
