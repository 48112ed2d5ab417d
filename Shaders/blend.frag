#version 300 es
precision highp float;

// Whole pixels of a texture, blended with a second one, which holds what is behind: the result is all that shows.
// In: flat values of the instance; both textures' coordinates are worked out from the fragment's position, as in image.frag.
// Spaces: gl_FragCoord.xy is target space.
// Alpha: both textures are premultiplied, and so is the output; modes are functions of straight colours.

uniform highp sampler2D u_texture;
uniform highp sampler2D u_backdrop;

flat in vec4 v_origin;
flat in vec4 v_gradient;
flat in vec2 v_sampling;
flat in vec4 v_backdrop;
flat in int v_mode;

layout(location = 0) out vec4 frag_color;  // premultiplied

#include "include/blend_modes.glsl"

void main() {
  vec2 q = gl_FragCoord.xy - v_origin.xy;
  vec4 s = textureLod(u_texture, v_origin.zw + q.x * v_gradient.xy + q.y * v_gradient.zw, v_sampling.y) * v_sampling.x;
  vec4 d = textureLod(u_backdrop, v_backdrop.xy + q * v_backdrop.zw, 0.0);
  if (v_mode == PLUS_LIGHTER) {
    frag_color = min(s + d, 1.0);
    return;
  }
  vec3 cs = s.rgb / max(s.a, 1e-6);
  vec3 cd = d.rgb / max(d.a, 1e-6);
  vec3 both = blended(v_mode, cd, cs);
  frag_color = vec4(s.rgb * (1.0 - d.a) + d.rgb * (1.0 - s.a) + s.a * d.a * both, s.a + d.a - s.a * d.a);
}
