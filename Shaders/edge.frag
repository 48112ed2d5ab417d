#version 300 es
precision highp float;

// The antialiased edge or corner of an upright rectangle, of one colour or a texture: what `shape` works out of it, in less.
// In: flat values of the instance. Position less origin is exact, and so are distances from the rectangle's edges, so the
//   same picture in another place gives the same bits.
// Spaces: gl_FragCoord.xy is target space; lengths are pixels.
// Alpha: colour and texture are premultiplied, and so is the output.

#include "include/coverage.glsl"

#ifdef TEXTURED
uniform highp sampler2D u_texture;
#endif

flat in vec2 v_origin;
flat in vec4 v_rect;
flat in vec4 v_paint;
#ifdef TEXTURED
flat in vec2 v_sampling;
#endif
#ifdef ROUNDED
flat in vec4 v_radii;
#endif

layout(location = 0) out vec4 frag_color;  // premultiplied

void main() {
  vec2 q = gl_FragCoord.xy - v_origin;
  vec2 low = q - v_rect.xy;
  vec2 high = v_rect.zw - q;
  // What one of two parallel edges leaves and the other leaves, less the whole.
  vec2 span = max(clamp(low + 0.5, 0.0, 1.0) + clamp(high + 0.5, 0.0, 1.0) - 1.0, 0.0);
  float coverage = span.x * span.y;

#ifdef ROUNDED
  // The nearest corner, as seen from the centre of its circle: v points out of the rectangle.
  bvec2 is_high = lessThan(high, low);
  vec2 radius_pair = is_high.y ? v_radii.wz : v_radii.xy;
  float r = is_high.x ? radius_pair.y : radius_pair.x;
  vec2 v = r - min(low, high);
  float reach = max(length(v), SMALLEST);
  float circle = half_plane(r - reach, v / reach);
  coverage = r > 0.0 && v.x > 0.0 && v.y > 0.0 ? min(coverage, circle) : coverage;
#endif

#ifdef TEXTURED
  frag_color = textureLod(u_texture, v_paint.xy + q * v_paint.zw, v_sampling.y) * (coverage * v_sampling.x);
#else
  frag_color = v_paint * coverage;
#endif
}
