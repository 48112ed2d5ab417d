#version 300 es
precision highp float;

// Whole pixels of a texture, each colour through a matrix.
// In: InstanceFormat.colors, one instance a quad; four vertices of a strip, told apart by gl_VertexID.
// Spaces: the rectangle is in target space, whole numbers; texture coordinates are 0…1, row 0 at the top.
// Alpha: the matrix is for straight colours; no colour passes here.

#include "include/target.glsl"

layout(location = 0) in vec4 a_rect;
layout(location = 1) in vec4 a_texture;   // u, v at (minX, minY); change of (u, v) a pixel to the right
layout(location = 2) in vec4 a_sampling;  // change of (u, v) a pixel down; factor; mip level
layout(location = 3) in vec4 a_red;       // what a whole of each component makes
layout(location = 4) in vec4 a_green;
layout(location = 5) in vec4 a_blue;
layout(location = 6) in vec4 a_alpha;
layout(location = 7) in vec4 a_constant;

flat out vec4 v_origin;    // corner in target space; u, v there
flat out vec4 v_gradient;  // change of (u, v) a pixel to the right, a pixel down
flat out vec2 v_sampling;  // factor, mip level
flat out vec4 v_red;
flat out vec4 v_green;
flat out vec4 v_blue;
flat out vec4 v_alpha;
flat out vec4 v_constant;

void main() {
  v_origin = vec4(a_rect.xy, a_texture.xy);
  v_gradient = vec4(a_texture.zw, a_sampling.xy);
  v_sampling = a_sampling.zw;
  v_red = a_red;
  v_green = a_green;
  v_blue = a_blue;
  v_alpha = a_alpha;
  v_constant = a_constant;
  gl_Position = clip_position(strip_corner(a_rect));
}
