#version 300 es
precision highp float;

// Whole pixels of a texture, seen through a lens.
// In: InstanceFormat.lens, one instance a quad; four vertices of a strip, told apart by gl_VertexID.
// Spaces: the rectangle is in target space, whole numbers; texture coordinates are 0…1, row 0 at the top; shapes and bounds
//   are in layer space.
// Alpha: no colour passes here but the highlight's, which is straight.

#include "include/target.glsl"
#define LENS_VARYING flat out
#include "include/lens_varyings.glsl"

layout(location = 0) in vec4 a_rect;
layout(location = 1) in vec4 a_texture;     // u, v at (minX, minY); change of (u, v) a pixel to the right
layout(location = 2) in vec4 a_sampling;    // change of (u, v) a pixel down; factor; whether coverage alone is drawn
layout(location = 3) in vec4 a_to_layer;    // change of layer x, y a pixel to the right, a pixel down
layout(location = 4) in vec4 a_origin;      // layer x, y at (minX, minY); towards the light
layout(location = 5) in vec4 a_glass;       // smoothing, rim, thickness, refractive index
layout(location = 6) in vec4 a_look;        // chromatic spread, highlight's width, shape count, radius of the fifth
layout(location = 7) in vec4 a_highlight;   // straight
layout(location = 8) in vec4 a_shape_0;     // min, max
layout(location = 9) in vec4 a_shape_1;
layout(location = 10) in vec4 a_shape_2;
layout(location = 11) in vec4 a_shape_3;
layout(location = 12) in vec4 a_shape_4;
layout(location = 13) in vec4 a_radii;      // of the first four
layout(location = 14) in vec4 a_bounds;     // min, max

void main() {
  v_origin = vec4(a_rect.xy, a_texture.xy);
  v_gradient = vec4(a_texture.zw, a_sampling.xy);
  v_sampling = vec4(a_sampling.zw, a_origin.zw);
  v_to_layer = a_to_layer;
  v_layer_origin = vec4(a_origin.xy, a_look.zw);
  v_glass = a_glass;
  v_look = a_look.xy;
  v_highlight = a_highlight;
  v_shape_0 = a_shape_0;
  v_shape_1 = a_shape_1;
  v_shape_2 = a_shape_2;
  v_shape_3 = a_shape_3;
  v_shape_4 = a_shape_4;
  v_shape_radii = a_radii;
  v_bounds = a_bounds;
  gl_Position = clip_position(strip_corner(a_rect));
}
