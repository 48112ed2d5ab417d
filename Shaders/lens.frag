#version 300 es
precision highp float;

// Whole pixels of a texture, seen through a lens: what lies behind glass with a round rim.
// In: flat values of the instance; coordinates are worked out from the fragment's position, as in image.frag.
// Spaces: gl_FragCoord.xy is target space. Distances are in the layer's points, positive inside of the outline.
// Alpha: the texture is premultiplied, and so is the output.

#define LENS_VARYING flat in
#include "include/lens_varyings.glsl"

uniform highp sampler2D u_texture;

layout(location = 0) out vec4 frag_color;  // premultiplied

// Where two sides are as near, or two shapes, one of them by more than this is the nearer one: so that no rounding decides.
const float TIE = 1.0 / 4096.0;

// How far inside of a rounded rectangle a point lies, and the gradient of that.
vec3 within_shape(vec2 p, vec4 rect, float radius) {
  vec2 half_size = 0.5 * (rect.zw - rect.xy);
  vec2 d = p - 0.5 * (rect.xy + rect.zw);
  vec2 side = mix(vec2(1.0), vec2(-1.0), lessThan(d, vec2(-TIE)));
  vec2 q = abs(d) - half_size + radius;
  if (q.x > 0.0 && q.y > 0.0) {
    float away = length(q);
    return vec3(radius - away, -side * q / max(away, 1e-6));
  }
  return q.x - q.y > TIE ? vec3(radius - q.x, -side.x, 0.0) : vec3(radius - q.y, 0.0, -side.y);
}

// Two outlines as one, that flow into each other where they are near.
vec3 joined(vec3 a, vec3 b) {
  float k = v_glass.x;
  vec3 nearer = b.x - a.x > TIE ? b : a;
  vec3 other = b.x - a.x > TIE ? a : b;
  float h = k > 0.0 ? max(k - abs(a.x - b.x), 0.0) / k : 0.0;
  return vec3(nearer.x + 0.25 * h * h * k, mix(nearer.yz, other.yz, 0.5 * h));
}

// How far inside of the whole outline a point lies, and the gradient of that.
vec3 depth(vec2 p) {
  float count = v_layer_origin.z;
  vec3 d = within_shape(p, v_shape_0, v_shape_radii.x);
  if (count > 1.0) d = joined(d, within_shape(p, v_shape_1, v_shape_radii.y));
  if (count > 2.0) d = joined(d, within_shape(p, v_shape_2, v_shape_radii.z));
  if (count > 3.0) d = joined(d, within_shape(p, v_shape_3, v_shape_radii.w));
  if (count > 4.0) d = joined(d, within_shape(p, v_shape_4, v_layer_origin.w));
  return d;
}

// tan(asin s - asin(s / index)): how far light is bent for each point that it goes on behind the surface.
float bend(float s, float index) {
  float t = s / index;
  float cs = sqrt(max(1.0 - s * s, 0.0));
  float ct = sqrt(max(1.0 - t * t, 0.0));
  return (s * ct - cs * t) / max(cs * ct + s * t, 1e-6);
}

vec4 sample_at(vec2 q, vec2 shift) {
  // From a shift in points to one in pixels.
  float determinant = v_to_layer.x * v_to_layer.w - v_to_layer.y * v_to_layer.z;
  vec2 moved = vec2(shift.x * v_to_layer.w - shift.y * v_to_layer.z, shift.y * v_to_layer.x - shift.x * v_to_layer.y)
    / determinant;
  vec2 at = q + moved;
  return textureLod(u_texture, v_origin.zw + at.x * v_gradient.xy + at.y * v_gradient.zw, 0.0);
}

void main() {
  vec2 q = gl_FragCoord.xy - v_origin.xy;
  vec2 p = v_layer_origin.xy + q.x * v_to_layer.xy + q.y * v_to_layer.zw;
  vec3 outline = depth(p);
  float d = outline.x;
  vec2 slope = outline.yz;
  vec2 inwards = slope / max(length(slope), 1e-6);

  float per_pixel = length(vec2(dot(slope, v_to_layer.xy), dot(slope, v_to_layer.zw)));
  float coverage = clamp(d / max(per_pixel, 1e-6) + 0.5, 0.0, 1.0);
  vec2 low = (p - v_bounds.xy) / vec2(length(v_to_layer.xz), length(v_to_layer.yw));
  vec2 high = (v_bounds.zw - p) / vec2(length(v_to_layer.xz), length(v_to_layer.yw));
  vec2 within = clamp(min(low, high) + 0.5, 0.0, 1.0);
  coverage = min(coverage, within.x * within.y);
  if (v_sampling.y > 0.0) {
    frag_color = vec4(coverage * v_sampling.x);
    return;
  }

  float s = v_glass.y > 0.0 ? clamp(1.0 - d / v_glass.y, 0.0, 1.0) : 0.0;
  float extra = v_glass.w - 1.0;
  vec4 color = sample_at(q, inwards * (v_glass.z * bend(s, v_glass.w)));
  if (v_look.x > 0.0) {
    color.r = sample_at(q, inwards * (v_glass.z * bend(s, 1.0 + extra * (1.0 - v_look.x)))).r;
    color.b = sample_at(q, inwards * (v_glass.z * bend(s, 1.0 + extra * (1.0 + v_look.x)))).b;
  }
  float fade = v_look.y > 0.0 ? max(1.0 - max(d, 0.0) / v_look.y, 0.0) : 0.0;
  float strength = v_highlight.a * fade * fade * abs(dot(inwards, v_sampling.zw));
  color.rgb = mix(color.rgb, v_highlight.rgb * color.a, strength);
  frag_color = color * (coverage * v_sampling.x);
}
