// Qt Quick's best way: one live ShaderEffectSource of the board, N ShaderEffects that sample it, drawn by
// QQuickRenderControl into a texture.
#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFramebufferObject>
#include <QOpenGLFunctions>
#include <QQmlComponent>
#include <QQmlEngine>
#include <QQuickGraphicsDevice>
#include <QQuickItem>
#include <QQuickRenderControl>
#include <QQuickRenderTarget>
#include <QQuickWindow>
#include <QVector4D>
#include "board.h"

namespace {
struct View {
  QQuickRenderControl control;
  QQuickWindow window{&control};
  QQuickItem *root = nullptr;
  QOpenGLContext *context = nullptr;
};

QColor color(Paint p) { return QColor::fromRgbF(p.r, p.g, p.b); }

void draw(int frame, void *pointer) {
  View &view = *static_cast<View *>(pointer);
  view.root->setProperty("degrees", std::fmod(frame * DEGREES_A_FRAME, 360));
  QCoreApplication::processEvents();
  view.control.polishItems();
  view.control.beginFrame();
  view.control.sync();
  view.control.render();
  view.control.endFrame();
  view.context->functions()->glFinish();
}
}  // namespace

int main(int argc, char **argv) {
  int isWindow, n;
  board_arguments(argc, argv, &isWindow, &n);
  qputenv("QT_QPA_PLATFORM", "xcb");
  qputenv("QSG_RHI_BACKEND", "opengl");
  QGuiApplication app(argc, argv);
  QQuickWindow::setGraphicsApi(QSGRendererInterface::OpenGL);
  QSurfaceFormat format;
  format.setDepthBufferSize(24);
  format.setStencilBufferSize(8);
  QOpenGLContext context;
  context.setFormat(format);
  QOffscreenSurface surface;
  surface.setFormat(format);
  surface.create();
  if (!context.create() || !context.makeCurrent(&surface)) return fputs("qt: no OpenGL\n", stderr), 1;
  View view;
  view.context = &context;
  view.window.setGraphicsDevice(QQuickGraphicsDevice::fromOpenGLContext(&context));
  view.window.setColor(Qt::black);
  view.window.setGeometry(0, 0, WINDOW_W, WINDOW_H);
  QVariantList cards, copies;
  for (int i = 0; i < CARDS; i++) {
    Box b = board_card(i);
    cards << QVariantMap{{"x", b.x}, {"y", b.y}, {"w", b.w}, {"h", b.h}, {"color", color(board_card_paint(i))}};
  }
  for (int i = 0; i < n; i++) {
    Box b = board_place(isWindow, n, i);
    QVector4D part(0, 0, 1, 1);
    if (isWindow) part = QVector4D(b.x / WINDOW_W, b.y / WINDOW_H, b.w / WINDOW_W, b.h / WINDOW_H);
    copies << QVariantMap{{"x", b.x}, {"y", b.y}, {"w", b.w}, {"h", b.h}, {"part", part}};
  }
  QQmlEngine engine;
  QQmlComponent component(&engine, QUrl::fromLocalFile(QString(PEERS_FOLDER "/qt_shared.qml")));
  if (!component.isReady()) return fputs(component.errorString().toUtf8().constData(), stderr), 1;
  view.root = qobject_cast<QQuickItem *>(component.createWithInitialProperties({
      {"cards", cards}, {"copies", copies}, {"ground", color(board_ground())}, {"handColor", color(board_hand())},
      {"isWindow", bool(isWindow)}, {"shader", QUrl::fromLocalFile(QString(PEERS_BUILD "/part.frag.qsb"))}}));
  if (!view.root) return fputs(component.errorString().toUtf8().constData(), stderr), 1;
  view.root->setParentItem(view.window.contentItem());
  if (!view.control.initialize()) return fputs("qt: no renderer\n", stderr), 1;
  QOpenGLFramebufferObject target(QSize(WINDOW_W, WINDOW_H));
  view.window.setRenderTarget(QQuickRenderTarget::fromOpenGLTexture(target.texture(), target.size()));
  int code = board_serve(draw, &view);
  if (const char *path = getenv("PEER_PICTURE")) target.toImage().save(path);
  fflush(nullptr);
  _Exit(code);
}
