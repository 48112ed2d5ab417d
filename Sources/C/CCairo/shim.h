#pragma once
// What drawing needs of cairo, declared here from its stable interface (cairo 1.10): pkg-config gives its include paths
// only together with -pthread, which the package manager refuses with a warning in every build.

typedef struct _cairo_surface cairo_surface_t;
typedef struct _cairo cairo_t;
typedef struct _cairo_font_options cairo_font_options_t;

enum { PH_CAIRO_FORMAT_ARGB32 = 0 };
enum { PH_CAIRO_ANTIALIAS_GRAY = 2, PH_CAIRO_ANTIALIAS_BEST = 6 };
enum { PH_CAIRO_HINT_STYLE_NONE = 1, PH_CAIRO_HINT_METRICS_OFF = 1 };

cairo_surface_t *cairo_image_surface_create(int format, int width, int height);
int cairo_surface_status(cairo_surface_t *surface);
void cairo_surface_flush(cairo_surface_t *surface);
unsigned char *cairo_image_surface_get_data(cairo_surface_t *surface);
int cairo_image_surface_get_stride(cairo_surface_t *surface);
void cairo_surface_destroy(cairo_surface_t *surface);

cairo_t *cairo_create(cairo_surface_t *surface);
int cairo_status(cairo_t *cr);
void cairo_destroy(cairo_t *cr);

void cairo_scale(cairo_t *cr, double x, double y);
void cairo_translate(cairo_t *cr, double x, double y);
void cairo_set_source_rgba(cairo_t *cr, double red, double green, double blue, double alpha);
void cairo_set_antialias(cairo_t *cr, int antialias);
void cairo_set_tolerance(cairo_t *cr, double tolerance);

void cairo_new_path(cairo_t *cr);
void cairo_move_to(cairo_t *cr, double x, double y);
void cairo_line_to(cairo_t *cr, double x, double y);
void cairo_curve_to(cairo_t *cr, double x1, double y1, double x2, double y2, double x3, double y3);
void cairo_close_path(cairo_t *cr);
void cairo_set_fill_rule(cairo_t *cr, int rule);
void cairo_fill(cairo_t *cr);
void cairo_set_line_width(cairo_t *cr, double width);
void cairo_set_line_cap(cairo_t *cr, int cap);
void cairo_set_line_join(cairo_t *cr, int join);
void cairo_set_miter_limit(cairo_t *cr, double limit);
void cairo_set_dash(cairo_t *cr, const double *lengths, int count, double phase);
void cairo_stroke(cairo_t *cr);

cairo_font_options_t *cairo_font_options_create(void);
void cairo_font_options_destroy(cairo_font_options_t *options);
void cairo_font_options_set_antialias(cairo_font_options_t *options, int antialias);
void cairo_font_options_set_hint_style(cairo_font_options_t *options, int style);
void cairo_font_options_set_hint_metrics(cairo_font_options_t *options, int metrics);
