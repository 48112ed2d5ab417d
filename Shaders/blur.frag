#version 300 es
precision highp float;

// Whole pixels of a texture, convolved with a gaussian along a line of samples.
// In: flat values of the instance. Along an axis of the texture two neighbours are one sample between them, which the
//   sampler mixes by their weights.
// Spaces: gl_FragCoord.xy is target space.
// Alpha: the texture is premultiplied, and so is the output.

uniform highp sampler2D u_texture;

flat in vec4 v_origin;
flat in vec4 v_gradient;
flat in vec4 v_line;
flat in float v_deviation;

layout(location = 0) out vec4 frag_color;  // premultiplied

const int MOST_STEPS = 64;

void main() {
  vec2 q = gl_FragCoord.xy - v_origin.xy;
  vec2 uv = v_origin.zw + q.x * v_gradient.xy + q.y * v_gradient.zw;
  // The weight at step i is g, that at i + 1 is g · ratio, and each ratio is the one before times its own factor.
  float factor = exp(-1.0 / (v_deviation * v_deviation));
  float ratio = sqrt(factor);
  float g = 1.0;
  float total = 1.0;
  vec4 sum = textureLod(u_texture, uv, 0.0);
  int last = min(int(v_line.z), MOST_STEPS);
  bool in_pairs = v_line.w > 0.0;
  for (int i = 1; i <= last; i += in_pairs ? 2 : 1) {
    g *= ratio;
    ratio *= factor;
    float weight = g;
    float place = float(i);
    if (in_pairs) {
      g *= ratio;
      ratio *= factor;
      float second = i < last ? g : 0.0;
      weight += second;
      place += second / weight;
    }
    vec2 away = v_line.xy * place;
    sum += weight * (textureLod(u_texture, uv + away, 0.0) + textureLod(u_texture, uv - away, 0.0));
    total += 2.0 * weight;
  }
  frag_color = sum / total;
}
