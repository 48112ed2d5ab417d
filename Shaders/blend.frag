#version 300 es
precision highp float;

// Whole pixels of a texture, blended with a second one, which holds what is behind: the result is all that shows.
// In: flat values of the instance; EXTENDED has colours beyond 0…1. Both textures' coordinates are worked out from the fragment's position, as in image.frag.
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

#ifdef EXTENDED
const float LARGEST = 32768.0;  // of a sum, so that what is made of it is finite
const float SMALLEST = 5e-8;    // below the alpha that a half float can hold

// multiply, darken, lighten, difference, plusDarker; the others are defined from 0 to 1.
bool is_for_all_values(int mode) { return mode == 1 || mode == 4 || mode == 5 || mode == 10 || mode == 17; }
#endif

void main() {
  vec2 q = gl_FragCoord.xy - v_origin.xy;
  vec4 s = textureLod(u_texture, v_origin.zw + q.x * v_gradient.xy + q.y * v_gradient.zw, v_sampling.y) * v_sampling.x;
  vec4 d = textureLod(u_backdrop, v_backdrop.xy + q * v_backdrop.zw, 0.0);
  if (v_mode == PLUS_LIGHTER) {
#ifdef EXTENDED
    frag_color = vec4(clamp(s.rgb + d.rgb, -LARGEST, LARGEST), min(s.a + d.a, 1.0));
#else
    frag_color = min(s + d, 1.0);
#endif
    return;
  }
#ifdef EXTENDED
  vec3 cs = s.rgb / max(s.a, SMALLEST);
  vec3 cd = d.rgb / max(d.a, SMALLEST);
  if (!is_for_all_values(v_mode)) {
    cs = clamp(cs, 0.0, 1.0);
    cd = clamp(cd, 0.0, 1.0);
  }
#else
  vec3 cs = s.rgb / max(s.a, 1e-6);
  vec3 cd = d.rgb / max(d.a, 1e-6);
#endif
  vec3 both = blended(v_mode, cd, cs);
  frag_color = vec4(s.rgb * (1.0 - d.a) + d.rgb * (1.0 - s.a) + s.a * d.a * both, s.a + d.a - s.a * d.a);
}
