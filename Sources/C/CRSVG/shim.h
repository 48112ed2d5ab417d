#pragma once
// What the plot needs of librsvg, GObject and cairo, declared here from their stable interfaces (librsvg 2.46, cairo 1.2).
// Their own headers want include paths that pkg-config gives only together with -pthread, which the package manager
// refuses with a warning in every build.

#include <stddef.h>

typedef struct _RsvgHandle RsvgHandle;
typedef struct _GError GError;
typedef struct _cairo_surface cairo_surface_t;
typedef struct _cairo cairo_t;

typedef struct {
  double x, y, width, height;
} RsvgRectangle;

enum { CAIRO_FORMAT_ARGB32 = 0 };
enum { CAIRO_STATUS_SUCCESS = 0, CAIRO_STATUS_WRITE_ERROR = 11 };

typedef int (*cairo_write_func_t)(void *closure, const unsigned char *data, unsigned int length);

RsvgHandle *rsvg_handle_new_from_data(const unsigned char *data, size_t length, GError **error);
int rsvg_handle_render_document(RsvgHandle *handle, cairo_t *cr, const RsvgRectangle *viewport, GError **error);
void g_object_unref(void *object);

cairo_surface_t *cairo_image_surface_create(int format, int width, int height);
void cairo_surface_destroy(cairo_surface_t *surface);
int cairo_surface_write_to_png_stream(cairo_surface_t *surface, cairo_write_func_t write, void *closure);
cairo_t *cairo_create(cairo_surface_t *surface);
void cairo_destroy(cairo_t *cr);
