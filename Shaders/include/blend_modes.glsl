// The blend modes of CSS, by BlendMode.shaderNumber: what two straight colours make where both are.
// `cd` is behind, `cs` before it. Each component from 0 to 1, and so is the result.

const int PLUS_LIGHTER = 16;

float luminosity(vec3 c) { return dot(c, vec3(0.3, 0.59, 0.11)); }

vec3 clip_color(vec3 c) {
  float l = luminosity(c);
  float low = min(min(c.r, c.g), c.b);
  float high = max(max(c.r, c.g), c.b);
  if (low < 0.0) c = l + (c - l) * l / max(l - low, 1e-6);
  if (high > 1.0) c = l + (c - l) * (1.0 - l) / max(high - l, 1e-6);
  return c;
}

vec3 set_luminosity(vec3 c, float l) { return clip_color(c + (l - luminosity(c))); }

float saturation(vec3 c) { return max(max(c.r, c.g), c.b) - min(min(c.r, c.g), c.b); }

vec3 set_saturation(vec3 c, float s) {
  float low = min(min(c.r, c.g), c.b);
  float high = max(max(c.r, c.g), c.b);
  return high > low ? (c - low) * s / (high - low) : vec3(0.0);
}

vec3 hard_light(vec3 cd, vec3 cs) {
  return mix(2.0 * cd * cs, cd + (2.0 * cs - 1.0) - cd * (2.0 * cs - 1.0), greaterThan(cs, vec3(0.5)));
}

vec3 soft_light(vec3 cd, vec3 cs) {
  vec3 curve = mix(((16.0 * cd - 12.0) * cd + 4.0) * cd, sqrt(cd), greaterThan(cd, vec3(0.25)));
  vec3 darker = cd - (1.0 - 2.0 * cs) * cd * (1.0 - cd);
  vec3 lighter = cd + (2.0 * cs - 1.0) * (curve - cd);
  return mix(darker, lighter, greaterThan(cs, vec3(0.5)));
}

vec3 color_dodge(vec3 cd, vec3 cs) {
  vec3 quotient = mix(min(cd / max(1.0 - cs, 1e-6), 1.0), vec3(1.0), greaterThanEqual(cs, vec3(1.0)));
  return mix(quotient, vec3(0.0), lessThanEqual(cd, vec3(0.0)));
}

vec3 color_burn(vec3 cd, vec3 cs) {
  vec3 quotient = mix(1.0 - min((1.0 - cd) / max(cs, 1e-6), 1.0), vec3(0.0), lessThanEqual(cs, vec3(0.0)));
  return mix(quotient, vec3(1.0), greaterThanEqual(cd, vec3(1.0)));
}

vec3 blended(int mode, vec3 cd, vec3 cs) {
  switch (mode) {
    case 1: return cd * cs;
    case 2: return cd + cs - cd * cs;
    case 3: return hard_light(cs, cd);
    case 4: return min(cd, cs);
    case 5: return max(cd, cs);
    case 6: return color_dodge(cd, cs);
    case 7: return color_burn(cd, cs);
    case 8: return hard_light(cd, cs);
    case 9: return soft_light(cd, cs);
    case 10: return abs(cd - cs);
    case 11: return cd + cs - 2.0 * cd * cs;
    case 12: return set_luminosity(set_saturation(cs, saturation(cd)), luminosity(cd));
    case 13: return set_luminosity(set_saturation(cd, saturation(cs)), luminosity(cd));
    case 14: return set_luminosity(cs, luminosity(cd));
    case 15: return set_luminosity(cd, luminosity(cs));
    case 17: return max(cd + cs - 1.0, 0.0);
    default: return cs;
  }
}
