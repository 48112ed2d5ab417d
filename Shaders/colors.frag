#version 300 es
precision highp float;

// Whole pixels of a texture, each colour through a matrix and clamped.
// In: flat values of the instance; the texture coordinate is worked out from the fragment's position, as in image.frag.
//   EXTENDED holds colours to a wide range, LINEAR has a texture and an output of linear values.
// Spaces: gl_FragCoord.xy is target space.
// Alpha: the texture is premultiplied, and so is the output; the matrix is applied to the straight colour. Nothing
//   stays nothing. The matrix is for encoded values.

uniform highp sampler2D u_texture;

flat in vec4 v_origin;
flat in vec4 v_gradient;
flat in vec2 v_sampling;
flat in vec4 v_red;
flat in vec4 v_green;
flat in vec4 v_blue;
flat in vec4 v_alpha;
flat in vec4 v_constant;

layout(location = 0) out vec4 frag_color;  // premultiplied

#ifdef EXTENDED
const float LARGEST = 64.0;    // WorkingSpace.largestComponent
const float SMALLEST = 5e-8;   // below the alpha that a half float can hold
#else
const float LARGEST = 1.0;
const float SMALLEST = 1e-6;
#endif
#ifdef LINEAR
#include "include/srgb_curve.glsl"
#endif

void main() {
  vec2 q = gl_FragCoord.xy - v_origin.xy;
  vec2 uv = v_origin.zw + q.x * v_gradient.xy + q.y * v_gradient.zw;
  vec4 c = textureLod(u_texture, uv, v_sampling.y);
  vec3 straight = c.rgb / max(c.a, SMALLEST);
#ifdef LINEAR
  straight = to_code(straight);
#endif
  vec4 mapped = straight.r * v_red + straight.g * v_green + straight.b * v_blue + c.a * v_alpha + v_constant;
#ifdef EXTENDED
  mapped = vec4(clamp(mapped.rgb, -LARGEST, LARGEST), clamp(mapped.a, 0.0, 1.0));
#else
  mapped = clamp(mapped, 0.0, LARGEST);
#endif
#ifdef LINEAR
  mapped.rgb = to_light(mapped.rgb);
#endif
  frag_color = c.a > 0.0 ? vec4(mapped.rgb * mapped.a, mapped.a) * v_sampling.x : vec4(0.0);
}
