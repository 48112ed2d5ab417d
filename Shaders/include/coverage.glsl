// How much of a pixel lies in a rounded rectangle: 0…1, the area of the unit square around the fragment's centre.
// Exact for half planes and for upright rectangles; at a round corner the circle is taken for its tangent.
//
// A distance and its gradient are both in the rectangle's own units; the gradient is the distance's change a pixel
// to the right and a pixel down. Only their ratio counts, so nothing needs to be of unit length.

const float SMALLEST = 1e-20;  // keeps a division finite; far below any length that shows

// A point of the rectangle's space under the fragment, and how it moves from pixel to pixel.
struct Local {
  vec2 p;
  vec2 dx;       // gradient of p.x over pixels
  vec2 dy;       // gradient of p.y over pixels
  bool visible;  // false behind the eye, where the other members mean nothing
};

// `q` through the homography with these rows: (q.x, q.y, 1) · H, with the exact derivative of the division.
Local local_at(vec2 q, vec3 row_x, vec3 row_y, vec3 row_one) {
  vec3 h = q.x * row_x + q.y * row_y + row_one;
  Local l;
  l.visible = h.z > 0.0;
  float reciprocal = 1.0 / (l.visible ? h.z : 1.0);
  l.p = h.xy * reciprocal;
  l.dx = (vec2(row_x.x, row_y.x) - l.p.x * vec2(row_x.z, row_y.z)) * reciprocal;
  l.dy = (vec2(row_x.y, row_y.y) - l.p.y * vec2(row_x.z, row_y.z)) * reciprocal;
  return l;
}

// The part of the pixel in a half plane: `d` is its centre's distance from the edge, positive inside.
// Along d the square's section grows over a slope of width b, stays, and shrinks again; so the area is linear
// in the middle and quadratic near the square's corners.
float half_plane(float d, vec2 gradient) {
  vec2 g = abs(gradient);
  float a = max(max(g.x, g.y), SMALLEST);
  float b = min(g.x, g.y);
  float e = abs(d);
  float rest = max(0.5 * (a + b) - e, 0.0) / max(b, SMALLEST);
  float area = e <= 0.5 * (a - b) ? 0.5 + e / a : 1.0 - 0.5 * rest * rest * (b / a);
  return d < 0.0 ? 1.0 - area : area;
}

// Whether the pixel's centre, at distance `d` inside of an edge, is in: as a whole or not at all.
float half_plane_hard(bool is_in) { return is_in ? 1.0 : 0.0; }

// `radii`: top left, top right, bottom right, bottom left, each at most half of the shorter side. Below zero: corners are
// square, and what is below zero is the left, right, top and bottom edges that are not antialiased. A centre on the edge
// is in at the left and the top alone.
float rounded_rect(Local l, vec4 rect, vec4 radii) {
  // Parallel edges: what one leaves and the other leaves, less the whole; exact for strips thinner than a pixel.
  vec2 low = l.p - rect.xy;
  vec2 high = rect.zw - l.p;
  float left = radii.x < 0.0 ? half_plane_hard(low.x >= 0.0) : half_plane(low.x, l.dx);
  float right = radii.y < 0.0 ? half_plane_hard(high.x > 0.0) : half_plane(high.x, l.dx);
  float top = radii.z < 0.0 ? half_plane_hard(low.y >= 0.0) : half_plane(low.y, l.dy);
  float bottom = radii.w < 0.0 ? half_plane_hard(high.y > 0.0) : half_plane(high.y, l.dy);
  float across = max(left + right - 1.0, 0.0);
  float down = max(top + bottom - 1.0, 0.0);
  float edges = across * down;

  // The nearest corner, as seen from the centre of its circle: v points out of the rectangle.
  bvec2 is_high = lessThan(high, low);
  vec2 radius_pair = is_high.y ? radii.wz : radii.xy;
  float r = is_high.x ? radius_pair.y : radius_pair.x;
  vec2 v = r - min(low, high);
  float reach = max(length(v), SMALLEST);
  vec2 out_of_rect = mix(vec2(-1.0), vec2(1.0), is_high) * v / reach;
  float circle = half_plane(r - reach, out_of_rect.x * l.dx + out_of_rect.y * l.dy);
  bool in_corner = r > 0.0 && v.x > 0.0 && v.y > 0.0;
  return in_corner ? min(edges, circle) : edges;
}

// The band of this width within the outline; where the width leaves no inside, all of it.
float border_band(Local l, vec4 rect, vec4 radii, float width) {
  float outline = rounded_rect(l, rect, radii);
  vec4 inner = rect + vec4(width, width, -width, -width);
  bool has_inside = inner.x < inner.z && inner.y < inner.w;
  float inside = rounded_rect(l, inner, max(radii - width, 0.0));
  return has_inside ? max(outline - inside, 0.0) : outline;
}
