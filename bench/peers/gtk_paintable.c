// N pictures of one GtkWidgetPaintable of the board: GTK 4 with its GL renderer. Its frame clock keeps to sixty frames a
// second; CPU time is what to read.
#include <gtk/gtk.h>
#include "board.h"

typedef struct { GtkWidget parent; double degrees; } Board;
typedef struct { GtkWidgetClass parent; } BoardClass;
G_DEFINE_TYPE(Board, board, GTK_TYPE_WIDGET)

static GdkRGBA rgba(Paint p) { return (GdkRGBA){p.r, p.g, p.b, 1}; }

static void board_snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
  GdkRGBA ground = rgba(board_ground()), hand = rgba(board_hand());
  gtk_snapshot_append_color(snapshot, &ground, &GRAPHENE_RECT_INIT(0, 0, BOARD_W, BOARD_H));
  for (int i = 0; i < CARDS; i++) {
    Box box = board_card(i);
    GdkRGBA paint = rgba(board_card_paint(i));
    graphene_rect_t rect = GRAPHENE_RECT_INIT(box.x, box.y, box.w, box.h);
    GskRoundedRect rounded;
    gsk_rounded_rect_init_from_rect(&rounded, &rect, CARD_RADIUS);
    gtk_snapshot_push_rounded_clip(snapshot, &rounded);
    gtk_snapshot_append_color(snapshot, &paint, &rect);
    gtk_snapshot_pop(snapshot);
  }
  gtk_snapshot_save(snapshot);
  gtk_snapshot_translate(snapshot, &GRAPHENE_POINT_INIT(BOARD_W / 2, BOARD_H / 2));
  gtk_snapshot_rotate(snapshot, ((Board *)widget)->degrees);
  gtk_snapshot_append_color(snapshot, &hand, &GRAPHENE_RECT_INIT(-HAND_W / 2, -HAND_H / 2, HAND_W, HAND_H));
  gtk_snapshot_restore(snapshot);
}

static void board_measure(GtkWidget *widget, GtkOrientation o, int size, int *least, int *natural, int *a, int *b) {
  *least = *natural = o == GTK_ORIENTATION_HORIZONTAL ? BOARD_W : BOARD_H;
}

static void board_class_init(BoardClass *class) {
  GTK_WIDGET_CLASS(class)->snapshot = board_snapshot;
  GTK_WIDGET_CLASS(class)->measure = board_measure;
}

static void board_init(Board *board) {}

static int painted;
static void count(GdkFrameClock *clock, gpointer unused) { painted++; }

static void draw(int frame, void *widget) {
  int before = painted;
  ((Board *)widget)->degrees = fmod(frame * DEGREES_A_FRAME, 360);
  gtk_widget_queue_draw(widget);
  while (painted == before) g_main_context_iteration(NULL, TRUE);
}

int main(int argc, char **argv) {
  int is_window, n;
  board_arguments(argc, argv, &is_window, &n);
  g_setenv("GSK_RENDERER", "gl", FALSE);
  g_setenv("GDK_BACKEND", "x11", FALSE);
  if (!gtk_init_check()) return fputs("gtk: no display\n", stderr), 1;
  GtkWidget *window = gtk_window_new(), *fixed = gtk_fixed_new(), *board = g_object_new(board_get_type(), NULL);
  gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
  gtk_window_set_default_size(GTK_WINDOW(window), WINDOW_W, WINDOW_H);
  gtk_widget_set_overflow(fixed, GTK_OVERFLOW_HIDDEN);
  // The board itself lies below the first of its pictures, which cover it.
  gtk_fixed_put(GTK_FIXED(fixed), board, 0, 0);
  GdkPaintable *paintable = gtk_widget_paintable_new(board);
  for (int i = 0; i < n; i++) {
    Box place = board_place(is_window, n, i);
    GtkWidget *picture = gtk_picture_new_for_paintable(paintable);
    gtk_widget_set_size_request(picture, BOARD_W, BOARD_H);
    gtk_fixed_put(GTK_FIXED(fixed), picture, 0, 0);
    GskTransform *transform = gsk_transform_translate(NULL, &GRAPHENE_POINT_INIT(place.x, place.y));
    transform = gsk_transform_scale(transform, place.w / BOARD_W, place.h / BOARD_H);
    gtk_fixed_set_child_transform(GTK_FIXED(fixed), picture, transform);
    gsk_transform_unref(transform);
  }
  GtkWidget *scrolled = gtk_scrolled_window_new();
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_EXTERNAL, GTK_POLICY_EXTERNAL);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), fixed);
  gtk_window_set_child(GTK_WINDOW(window), scrolled);
  gtk_window_present(GTK_WINDOW(window));
  while (!gtk_widget_get_mapped(board)) g_main_context_iteration(NULL, TRUE);
  g_signal_connect(gtk_widget_get_frame_clock(window), "after-paint", G_CALLBACK(count), NULL);
  return board_serve(draw, board);
}
