#version 300 es
precision highp float;

// The antialiased edge or corner of an upright rectangle.
// In: InstanceFormat.edge, one instance a quad; four vertices of a strip, told apart by gl_VertexID.
// Spaces: what is drawn is in target space, whole numbers; the rectangle is in pixels less that one's corner.
// Alpha: premultiplied.

#include "include/target.glsl"

layout(location = 0) in vec4 a_part;
layout(location = 1) in vec4 a_rect;
layout(location = 2) in vec4 a_corners;  // corner radius in pixels, corner mask; factor, mip level
layout(location = 3) in vec4 a_paint;    // colour; where TEXTURED u, v at the part's corner, change of u to the right, of v down

flat out vec2 v_origin;  // the part's corner in target space
flat out vec4 v_rect;    // min, max less that
flat out vec4 v_paint;
#ifdef TEXTURED
flat out vec2 v_sampling;  // factor, mip level
#endif
#ifdef ROUNDED
flat out vec4 v_radii;  // top left, top right, bottom right, bottom left
#endif

void main() {
  v_origin = a_part.xy;
  v_rect = a_rect;
  v_paint = a_paint;
#ifdef TEXTURED
  v_sampling = a_corners.zw;
#endif
#ifdef ROUNDED
  ivec4 bits = ivec4(int(a_corners.y)) & ivec4(1, 2, 4, 8);
  v_radii = mix(vec4(0.0), vec4(a_corners.x), notEqual(bits, ivec4(0)));
#endif
  gl_Position = clip_position(strip_corner(a_part));
}
