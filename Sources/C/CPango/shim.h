#pragma once
// What setting text needs of Pango and GObject, declared here from their stable interfaces (Pango 1.44). See CCairo for
// why.

typedef struct _cairo cairo_t;
typedef struct _cairo_font_options cairo_font_options_t;
typedef struct _PangoFontMap PangoFontMap;
typedef struct _PangoContext PangoContext;
typedef struct _PangoLayout PangoLayout;
typedef struct _PangoFontDescription PangoFontDescription;
typedef struct _PangoAttrList PangoAttrList;

typedef struct {
  int x, y, width, height;
} PangoRectangle;

typedef struct {
  const void *klass;
  unsigned int start_index, end_index;
} PangoAttribute;

enum { PH_PANGO_SCALE = 1024 };
enum { PH_PANGO_ALIGN_LEFT = 0, PH_PANGO_ALIGN_CENTER = 1, PH_PANGO_ALIGN_RIGHT = 2 };
enum { PH_PANGO_WRAP_WORD_CHAR = 2 };
enum {
  PH_PANGO_ELLIPSIZE_NONE = 0,
  PH_PANGO_ELLIPSIZE_START = 1,
  PH_PANGO_ELLIPSIZE_MIDDLE = 2,
  PH_PANGO_ELLIPSIZE_END = 3
};
enum { PH_PANGO_STYLE_NORMAL = 0, PH_PANGO_STYLE_ITALIC = 2 };
enum { PH_PANGO_UNDERLINE_SINGLE = 1 };
enum { PH_PANGO_DIRECTION_RTL = 1 };

void g_object_unref(void *object);

PangoFontMap *pango_cairo_font_map_get_default(void);
PangoContext *pango_font_map_create_context(PangoFontMap *map);
void pango_cairo_context_set_font_options(PangoContext *context, const cairo_font_options_t *options);
void pango_context_set_round_glyph_positions(PangoContext *context, int rounds);

PangoLayout *pango_layout_new(PangoContext *context);
void pango_layout_set_text(PangoLayout *layout, const char *text, int length);
void pango_layout_set_attributes(PangoLayout *layout, PangoAttrList *attributes);
void pango_layout_set_font_description(PangoLayout *layout, const PangoFontDescription *description);
void pango_layout_set_width(PangoLayout *layout, int width);
void pango_layout_set_height(PangoLayout *layout, int height);
void pango_layout_set_wrap(PangoLayout *layout, int wrap);
void pango_layout_set_ellipsize(PangoLayout *layout, int ellipsize);
void pango_layout_set_alignment(PangoLayout *layout, int alignment);
void pango_layout_set_justify(PangoLayout *layout, int justify);
void pango_layout_get_extents(PangoLayout *layout, PangoRectangle *ink, PangoRectangle *logical);
int pango_layout_get_line_count(PangoLayout *layout);
int pango_layout_get_baseline(PangoLayout *layout);
int pango_layout_is_ellipsized(PangoLayout *layout);
int pango_find_base_dir(const char *text, int length);

PangoFontDescription *pango_font_description_new(void);
void pango_font_description_free(PangoFontDescription *description);
void pango_font_description_set_family(PangoFontDescription *description, const char *family);
void pango_font_description_set_absolute_size(PangoFontDescription *description, double size);
void pango_font_description_set_weight(PangoFontDescription *description, int weight);
void pango_font_description_set_style(PangoFontDescription *description, int style);

PangoAttrList *pango_attr_list_new(void);
void pango_attr_list_unref(PangoAttrList *list);
void pango_attr_list_insert(PangoAttrList *list, PangoAttribute *attribute);
PangoAttribute *pango_attr_font_desc_new(const PangoFontDescription *description);
PangoAttribute *pango_attr_foreground_new(unsigned short red, unsigned short green, unsigned short blue);
PangoAttribute *pango_attr_foreground_alpha_new(unsigned short alpha);
PangoAttribute *pango_attr_underline_new(int underline);

void pango_cairo_show_layout(cairo_t *cr, PangoLayout *layout);
