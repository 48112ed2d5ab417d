// Target space: pixels, y down, origin at the top left. Row 0 is the top of every target, and y down here is
// y up in GL's framebuffer, so nothing is flipped and gl_FragCoord.xy is a position in target space.

uniform highp vec2 u_target_size;

// A position in target space as a clip position.
vec4 clip_position(vec2 p) {
  return vec4(2.0 * p / u_target_size - 1.0, 0.0, 1.0);
}

// The corner of a rectangle (min, max) that this vertex of the strip is: top left, top right, bottom left,
// bottom right.
vec2 strip_corner(vec4 rect) {
  return vec2((gl_VertexID & 1) == 0 ? rect.x : rect.z, (gl_VertexID & 2) == 0 ? rect.y : rect.w);
}
