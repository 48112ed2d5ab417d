#version 300 es
precision highp float;

// Whole pixels of a texture.
// In: flat values of the instance. The texture coordinate is worked out from the fragment's position and not
//   interpolated: position less corner is exact, so the same picture in another place gives the same bits.
// Spaces: gl_FragCoord.xy is target space.
// Alpha: the texture is premultiplied, and so is the output.

uniform highp sampler2D u_texture;

flat in vec4 v_origin;
flat in vec4 v_gradient;
flat in vec2 v_sampling;

layout(location = 0) out vec4 frag_color;  // premultiplied

void main() {
  vec2 q = gl_FragCoord.xy - v_origin.xy;
  vec2 uv = v_origin.zw + q.x * v_gradient.xy + q.y * v_gradient.zw;
  frag_color = textureLod(u_texture, uv, v_sampling.y) * v_sampling.x;
}
