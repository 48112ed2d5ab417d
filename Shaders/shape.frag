#version 300 es
precision highp float;

// A rounded rectangle, or its border, under any transform, with antialiased edges and at most one clip.
// In: flat values of the instance; CLIPPED multiplies by the clip's coverage, TEXTURED samples u_texture, of which RADIAL
//   and CONIC take the one row for a gradient's colours from first to last.
// Spaces: gl_FragCoord.xy is target space; q is that less the anchor, exact, so that the same picture a whole
//   number of pixels away gives the same bits.
// Alpha: colour and texture are premultiplied, and so is the output.

#define SHAPE_VARYING flat in
#include "include/shape_varyings.glsl"
#include "include/coverage.glsl"

#ifdef TEXTURED
uniform highp sampler2D u_texture;
#endif

#if defined(RADIAL) || defined(CONIC)
const float TURN = 6.28318530717958647692;

// From the places along the gradient that the row is of to the centres of the first and the last texel.
vec2 ramp_at(float place) {
  float width = float(textureSize(u_texture, 0).x);
  float share = (place - v_texture_limits.x) / (v_texture_limits.z - v_texture_limits.x);
  return vec2((clamp(share, 0.0, 1.0) * (width - 1.0) + 0.5) / width, 0.5);
}
#endif

#if defined(TEXTURED) && !defined(RADIAL) && !defined(CONIC)
// Of two levels that are mixed each is kept within the centres of its own outermost texels: those of the coarser lie half
// a texel of the finer further in.
vec4 sample_at(vec2 uv) {
  float level = floor(v_frame.w);
  vec4 finer = textureLod(u_texture, clamp(uv, v_texture_limits.xy, v_texture_limits.zw), level);
  if (v_frame.w == level) return finer;
  vec2 inset = 0.5 * exp2(level) / vec2(textureSize(u_texture, 0));
  vec2 middle = 0.5 * (v_texture_limits.xy + v_texture_limits.zw);
  vec2 low = min(v_texture_limits.xy + inset, middle);
  vec2 high = max(v_texture_limits.zw - inset, middle);
  return mix(finer, textureLod(u_texture, clamp(uv, low, high), level + 1.0), v_frame.w - level);
}

// The mean of so many samples on a line as long as a pixel, in the direction in which the texture is smallest here.
vec4 mean_along(Local layer, vec2 uv, float count) {
  vec2 right = layer.dx.x * v_to_texture.xy + layer.dy.x * v_to_texture.zw;
  vec2 down = layer.dx.y * v_to_texture.xy + layer.dy.y * v_to_texture.zw;
  vec2 texels = vec2(textureSize(u_texture, 0));
  vec2 r = right * texels;
  vec2 d = down * texels;
  float angle = 0.5 * atan(2.0 * dot(r, d), dot(r, r) - dot(d, d));
  vec2 along = right * cos(angle) + down * sin(angle);
  vec4 sum = vec4(0.0);
  for (float i = 0.5; i < count; i += 1.0) sum += sample_at(uv + (i / count - 0.5) * along);
  return sum / count;
}
#endif

layout(location = 0) out vec4 frag_color;  // premultiplied

void main() {
  vec2 q = gl_FragCoord.xy - v_frame.xy;
  bool shows = all(greaterThanEqual(q, v_scissor.xy)) && all(lessThan(q, v_scissor.zw));

  Local layer = local_at(q, v_to_layer_x, v_to_layer_y, v_to_layer_one);
  shows = shows && layer.visible;
  float coverage;
  if (v_frame.z > 0.0) {
    coverage = border_band(layer, v_rect, v_radii, v_frame.z);
  } else {
    coverage = rounded_rect(layer, v_rect, v_radii);
  }

#ifdef CLIPPED
  Local clip = local_at(q, v_to_clip_x, v_to_clip_y, v_to_clip_one);
  shows = shows && clip.visible;
  coverage *= rounded_rect(clip, v_clip_rect, v_clip_radii);
#endif

  vec4 color = v_color;
#ifdef TEXTURED
  vec2 uv = layer.p.x * v_to_texture.xy + layer.p.y * v_to_texture.zw + v_to_texture_origin;
#if defined(RADIAL)
  color *= textureLod(u_texture, ramp_at(length(uv)), 0.0);
#elif defined(CONIC)
  // What lies on the line where the turn begins is its beginning, whatever rounding says.
  float turn = atan(uv.y, uv.x) / TURN;
  color *= textureLod(u_texture, ramp_at(turn < -1e-6 ? turn + 1.0 : turn), 0.0);
#else
  color *= v_frame.z < -1.0 ? mean_along(layer, uv, -v_frame.z) : sample_at(uv);
#endif
#endif

  // False for a coverage that is not a number, too: what is degenerate draws nothing.
  frag_color = shows && coverage > 0.0 ? color * min(coverage, 1.0) : vec4(0.0);
}
