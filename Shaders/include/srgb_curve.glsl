// sRGB's transfer function, on beyond 1 as it is and mirrored below 0.

vec3 to_light(vec3 code) {
  vec3 x = abs(code);
  vec3 light = mix(pow((x + 0.055) / 1.055, vec3(2.4)), x / 12.92, lessThanEqual(x, vec3(0.04045)));
  return sign(code) * light;
}

vec3 to_code(vec3 light) {
  vec3 x = abs(light);
  vec3 code = mix(1.055 * pow(x, vec3(1.0 / 2.4)) - 0.055, x * 12.92, lessThanEqual(x, vec3(0.0031308)));
  return sign(light) * code;
}
