#version 300 es
precision highp float;

// Whole pixels of one colour.
// In: InstanceFormat.fill, one instance a quad; four vertices of a strip, told apart by gl_VertexID.
// Spaces: the rectangle is in target space, whole numbers.
// Alpha: premultiplied.

#include "include/target.glsl"

layout(location = 0) in vec4 a_rect;
layout(location = 1) in vec4 a_color;

flat out vec4 v_color;

void main() {
  v_color = a_color;
  gl_Position = clip_position(strip_corner(a_rect));
}
