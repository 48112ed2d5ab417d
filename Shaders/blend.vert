#version 300 es
precision highp float;

// Whole pixels of a texture, blended with a second one.
// In: InstanceFormat.blend, one instance a quad; four vertices of a strip, told apart by gl_VertexID.
// Spaces: the rectangle is in target space, whole numbers; texture coordinates are 0…1, row 0 at the top.
// Alpha: no colour passes here; the factor scales all four components of the first texture alike.

#include "include/target.glsl"

layout(location = 0) in vec4 a_rect;
layout(location = 1) in vec4 a_texture;   // u, v at (minX, minY); change of (u, v) a pixel to the right
layout(location = 2) in vec4 a_sampling;  // change of (u, v) a pixel down; factor; mip level
layout(location = 3) in vec4 a_backdrop;  // the second texture's u, v at (minX, minY); change of u to the right, of v down
layout(location = 4) in vec4 a_mode;      // BlendMode.shaderNumber

flat out vec4 v_origin;    // corner in target space; u, v there
flat out vec4 v_gradient;  // change of (u, v) a pixel to the right, a pixel down
flat out vec2 v_sampling;  // factor, mip level
flat out vec4 v_backdrop;
flat out int v_mode;

void main() {
  v_origin = vec4(a_rect.xy, a_texture.xy);
  v_gradient = vec4(a_texture.zw, a_sampling.xy);
  v_sampling = a_sampling.zw;
  v_backdrop = a_backdrop;
  v_mode = int(a_mode.x + 0.5);
  gl_Position = clip_position(strip_corner(a_rect));
}
