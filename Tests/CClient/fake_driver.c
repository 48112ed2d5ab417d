// A driver that imports dma-bufs, where there is none: preloaded into a render server, it has memory files named
// "porthole-dma" pass for dma-bufs and such named "porthole-fence" for fences, and gives EGL's functions for them. What is
// drawn into such a picture goes back into its memory at the next fence. Everything else is the real driver's.
// FAKE_DRIVER_NODE names a device file that it says it draws with.
//
// It lets tests go the whole way from a client's descriptor to the pixels and back, on machines without a GPU.

#define _GNU_SOURCE
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>

#include <GLES2/gl2ext.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { dma_buffer_magic = 0x444d4142, most = 64 };

struct picture {
  uint32_t magic;
  int fd, width, height, offset, stride;
  uint32_t format;
};

// Textures whose pixels go back into memory at the next fence.
static struct {
  GLuint texture;
  struct picture picture;
} drawn[most];

static bool is_named(int fd, const char *name) {
  char link[64], path[128] = {0};
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  return readlink(link, path, sizeof path - 1) > 0 && strncmp(path, name, strlen(name)) == 0;
}

int fstatfs(int fd, struct statfs *status) {
  int (*real)(int, struct statfs *) = (int (*)(int, struct statfs *))dlsym(RTLD_NEXT, "fstatfs");
  int result = real(fd, status);
  if (result == 0 && is_named(fd, "/memfd:porthole-dma")) status->f_type = dma_buffer_magic;
  return result;
}

int ioctl(int fd, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  if (is_named(fd, "/memfd:porthole-fence")) return 0;
  int (*real)(int, unsigned long, ...) = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
  return real(fd, request, argument);
}

const char *eglQueryString(EGLDisplay display, EGLint name) {
  static char extensions[8192];
  const char *(*real)(EGLDisplay, EGLint) = (const char *(*)(EGLDisplay, EGLint))dlsym(RTLD_NEXT, "eglQueryString");
  const char *text = real(display, name);
  if (display == EGL_NO_DISPLAY || name != EGL_EXTENSIONS || !text) return text;
  snprintf(
      extensions, sizeof extensions, "%s EGL_EXT_image_dma_buf_import EGL_EXT_image_dma_buf_import_modifiers", text);
  return extensions;
}

static EGLBoolean query_modifiers(
    EGLDisplay display, EGLint format, EGLint capacity, EGLuint64KHR *modifiers, EGLBoolean *external, EGLint *count) {
  (void)display, (void)format;
  *count = 2;
  // Rows, which can be drawn into, and tiles that only an external sampler reads.
  EGLuint64KHR all[2] = {0, 0x100000000000001};
  for (int i = 0; i < capacity && i < 2; i++) modifiers[i] = all[i], external[i] = i == 1;
  return EGL_TRUE;
}

static EGLImageKHR create_image(
    EGLDisplay display, EGLContext context, EGLenum target, EGLClientBuffer buffer, const EGLint *list) {
  if (target != EGL_LINUX_DMA_BUF_EXT) {
    PFNEGLCREATEIMAGEKHRPROC real = (PFNEGLCREATEIMAGEKHRPROC)dlsym(RTLD_NEXT, "eglCreateImageKHR");
    return real ? real(display, context, target, buffer, list) : EGL_NO_IMAGE_KHR;
  }
  struct picture *picture = calloc(1, sizeof *picture);
  picture->magic = dma_buffer_magic;
  for (; *list != EGL_NONE; list += 2) switch (list[0]) {
      case EGL_WIDTH: picture->width = list[1]; break;
      case EGL_HEIGHT: picture->height = list[1]; break;
      case EGL_LINUX_DRM_FOURCC_EXT: picture->format = (uint32_t)list[1]; break;
      case EGL_DMA_BUF_PLANE0_FD_EXT: picture->fd = dup(list[1]); break;
      case EGL_DMA_BUF_PLANE0_OFFSET_EXT: picture->offset = list[1]; break;
      case EGL_DMA_BUF_PLANE0_PITCH_EXT: picture->stride = list[1]; break;
    }
  // A driver refuses what is announced and yet too much for it.
  if (picture->width != 1000) return picture;
  close(picture->fd);
  free(picture);
  return EGL_NO_IMAGE_KHR;
}

static EGLBoolean destroy_image(EGLDisplay display, EGLImageKHR image) {
  (void)display;
  struct picture *picture = image;
  close(picture->fd);
  free(picture);
  return EGL_TRUE;
}

static void *map(const struct picture *picture) {
  size_t size = (size_t)picture->offset + (size_t)picture->stride * picture->height;
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, picture->fd, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

static void unmap(const struct picture *picture, void *memory) {
  munmap(memory, (size_t)picture->offset + (size_t)picture->stride * picture->height);
}

// From one pixel's bytes to the other's order, which is the same way back.
static void convert(uint32_t format, const uint8_t *from, uint8_t *to) {
  bool is_blue_first = format >> 8 == ('R' | '2' << 8 | '4' << 16);
  to[0] = from[is_blue_first ? 2 : 0], to[1] = from[1], to[2] = from[is_blue_first ? 0 : 2];
  to[3] = (format & 255) == 'X' ? 255 : from[3];
}

static void copy(const struct picture *picture, uint8_t *rows, bool is_back) {
  uint8_t *memory = map(picture);
  if (!memory) return;
  for (int y = 0; y < picture->height; y++)
    for (int x = 0; x < picture->width; x++) {
      uint8_t *inside = memory + picture->offset + y * picture->stride + x * 4;
      uint8_t *outside = rows + (y * picture->width + x) * 4;
      if (is_back) convert(picture->format, outside, inside);
      else convert(picture->format, inside, outside);
    }
  unmap(picture, memory);
}

static void target_texture(GLenum target, GLeglImageOES image) {
  struct picture *picture = image;
  uint8_t *rows = calloc(4, (size_t)picture->width * picture->height);
  copy(picture, rows, false);
  glTexStorage2D(target, 1, GL_RGBA8, picture->width, picture->height);
  glTexSubImage2D(target, 0, 0, 0, picture->width, picture->height, GL_RGBA, GL_UNSIGNED_BYTE, rows);
  free(rows);
  GLint texture;
  glGetIntegerv(GL_TEXTURE_BINDING_2D, &texture);
  for (int i = 0; i < most; i++)
    if (drawn[i].texture == 0) {
      drawn[i].texture = (GLuint)texture;
      drawn[i].picture = *picture;
      drawn[i].picture.fd = dup(picture->fd);
      return;
    }
}

void glDeleteTextures(GLsizei count, const GLuint *names) {
  for (int i = 0; i < most; i++)
    for (GLsizei n = 0; n < count; n++)
      if (drawn[i].texture != 0 && drawn[i].texture == names[n]) {
        close(drawn[i].picture.fd);
        drawn[i].texture = 0;
      }
  void (*real)(GLsizei, const GLuint *) = (void (*)(GLsizei, const GLuint *))dlsym(RTLD_NEXT, "glDeleteTextures");
  real(count, names);
}

GLsync glFenceSync(GLenum condition, GLbitfield flags) {
  for (int i = 0; i < most; i++)
    if (drawn[i].texture != 0) {
      struct picture *picture = &drawn[i].picture;
      GLint before;
      GLuint framebuffer;
      glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &before);
      glGenFramebuffers(1, &framebuffer);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
      glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, drawn[i].texture, 0);
      uint8_t *rows = calloc(4, (size_t)picture->width * picture->height);
      glReadPixels(0, 0, picture->width, picture->height, GL_RGBA, GL_UNSIGNED_BYTE, rows);
      copy(picture, rows, true);
      free(rows);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)before);
      glDeleteFramebuffers(1, &framebuffer);
      close(picture->fd);
      drawn[i].texture = 0;
    }
  GLsync (*real)(GLenum, GLbitfield) = (GLsync(*)(GLenum, GLbitfield))dlsym(RTLD_NEXT, "glFenceSync");
  return real(condition, flags);
}

static const char *query_device(EGLDeviceEXT device, EGLint name) {
  static char extensions[1024];
  const char *node = getenv("FAKE_DRIVER_NODE");
  if (node && name == EGL_DRM_DEVICE_FILE_EXT) return node;
  __eglMustCastToProperFunctionPointerType (*find)(const char *) =
      (__eglMustCastToProperFunctionPointerType(*)(const char *))dlsym(RTLD_NEXT, "eglGetProcAddress");
  PFNEGLQUERYDEVICESTRINGEXTPROC real = (PFNEGLQUERYDEVICESTRINGEXTPROC)find("eglQueryDeviceStringEXT");
  const char *text = real(device, name);
  if (!node || name != EGL_EXTENSIONS || !text) return text;
  snprintf(extensions, sizeof extensions, "%s EGL_EXT_device_drm", text);
  return extensions;
}

__eglMustCastToProperFunctionPointerType eglGetProcAddress(const char *name) {
  typedef __eglMustCastToProperFunctionPointerType function;
  if (strcmp(name, "eglCreateImageKHR") == 0) return (function)create_image;
  if (strcmp(name, "eglDestroyImageKHR") == 0) return (function)destroy_image;
  if (strcmp(name, "eglQueryDeviceStringEXT") == 0) return (function)query_device;
  if (strcmp(name, "eglQueryDmaBufModifiersEXT") == 0) return (function)query_modifiers;
  if (strcmp(name, "glEGLImageTargetTexture2DOES") == 0) return (function)target_texture;
  function (*real)(const char *) = (function(*)(const char *))dlsym(RTLD_NEXT, "eglGetProcAddress");
  return real(name);
}
