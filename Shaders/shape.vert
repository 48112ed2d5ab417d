#version 300 es
precision highp float;

// A rounded rectangle, or its border, under any transform, with at most one clip.
// In: InstanceFormat.shape, one instance a quad; four vertices of a strip, told apart by gl_VertexID.
// Spaces: the quad's corners are in target space less the anchor; all else is handed on as it is.
// Alpha: premultiplied.

#include "include/target.glsl"
#define SHAPE_VARYING flat out
#include "include/shape_varyings.glsl"

layout(location = 0) in vec4 a_quad_top;     // top left, top right
layout(location = 1) in vec4 a_quad_bottom;  // bottom left, bottom right
layout(location = 2) in vec4 a_frame;        // anchor, border width, mip level
layout(location = 3) in vec4 a_to_layer_0;   // m11 m12 m14 m21
layout(location = 4) in vec4 a_to_layer_1;   // m22 m24 m41 m42
layout(location = 5) in vec4 a_to_layer_2;   // m44, corner radius, corner mask, texture limit min u
layout(location = 6) in vec4 a_rect;
layout(location = 7) in vec4 a_scissor;
layout(location = 8) in vec4 a_color;
#ifdef TEXTURED
layout(location = 9) in vec4 a_to_texture;
#endif
#if defined(TEXTURED) || defined(CLIPPED)
layout(location = 10) in vec4 a_texture_clip;  // texture origin, clip's corner radius and mask
#endif
#ifdef CLIPPED
layout(location = 11) in vec4 a_to_clip_0;
layout(location = 12) in vec4 a_to_clip_1;
#endif
#if defined(TEXTURED) || defined(CLIPPED)
layout(location = 13) in vec4 a_to_clip_2;  // m44, texture limits min v, max u, max v
#endif
#ifdef CLIPPED
layout(location = 14) in vec4 a_clip_rect;
#endif

// The radius of each corner. Bits of the mask: 1 top left, 2 top right, 4 bottom right, 8 bottom left. With any of the
// bits above, all corners are square, and -1 stands for an edge that is not antialiased: 16 left, 32 right, 64 top,
// 128 bottom.
vec4 corner_radii(float radius, float mask, vec4 rect) {
  vec2 size = rect.zw - rect.xy;
  float r = clamp(radius, 0.0, max(0.5 * min(size.x, size.y), 0.0));
  ivec4 hard = ivec4(int(mask)) & ivec4(16, 32, 64, 128);
  if (int(mask) > 15) return mix(vec4(0.0), vec4(-1.0), notEqual(hard, ivec4(0)));
  ivec4 bits = ivec4(int(mask)) & ivec4(1, 2, 4, 8);
  return mix(vec4(0.0), vec4(r), notEqual(bits, ivec4(0)));
}

void main() {
  v_frame = a_frame;
  v_to_layer_x = a_to_layer_0.xyz;
  v_to_layer_y = vec3(a_to_layer_0.w, a_to_layer_1.xy);
  v_to_layer_one = vec3(a_to_layer_1.zw, a_to_layer_2.x);
  v_rect = a_rect;
  v_radii = corner_radii(a_to_layer_2.y, a_to_layer_2.z, a_rect);
  v_scissor = a_scissor;
  v_color = a_color;
#ifdef TEXTURED
  v_to_texture = a_to_texture;
  v_to_texture_origin = a_texture_clip.xy;
  v_texture_limits = vec4(a_to_layer_2.w, a_to_clip_2.yzw);
#endif
#ifdef CLIPPED
  v_to_clip_x = a_to_clip_0.xyz;
  v_to_clip_y = vec3(a_to_clip_0.w, a_to_clip_1.xy);
  v_to_clip_one = vec3(a_to_clip_1.zw, a_to_clip_2.x);
  v_clip_rect = a_clip_rect;
  v_clip_radii = corner_radii(a_texture_clip.z, a_texture_clip.w, a_clip_rect);
#endif
  vec4 row = (gl_VertexID & 2) == 0 ? a_quad_top : a_quad_bottom;
  vec2 corner = (gl_VertexID & 1) == 0 ? row.xy : row.zw;
  gl_Position = clip_position(a_frame.xy + corner);
}
