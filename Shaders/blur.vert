#version 300 es
precision highp float;

// Whole pixels of a texture, blurred along a line.
// In: InstanceFormat.blur, one instance a quad; four vertices of a strip, told apart by gl_VertexID.
// Spaces: the rectangle is in target space, whole numbers; texture coordinates are 0…1, row 0 at the top.
// Alpha: no colour passes here.

#include "include/target.glsl"

layout(location = 0) in vec4 a_rect;
layout(location = 1) in vec4 a_texture;   // u, v at (minX, minY); change of (u, v) a pixel to the right
layout(location = 2) in vec4 a_sampling;  // change of (u, v) a pixel down; standard deviation in steps; nothing
layout(location = 3) in vec4 a_line;      // change of (u, v) a step; steps to either side; whether two are read as one

flat out vec4 v_origin;    // corner in target space; u, v there
flat out vec4 v_gradient;  // change of (u, v) a pixel to the right, a pixel down
flat out vec4 v_line;
flat out float v_deviation;

void main() {
  v_origin = vec4(a_rect.xy, a_texture.xy);
  v_gradient = vec4(a_texture.zw, a_sampling.xy);
  v_line = a_line;
  v_deviation = a_sampling.z;
  gl_Position = clip_position(strip_corner(a_rect));
}
