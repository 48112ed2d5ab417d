// How much of a pixel lies in a rounded rectangle: 0…1, the area of the unit square around the fragment's centre.
// Exact for half planes and for rectangles, however they lie; at a round corner the circle is taken for its tangent.
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

// An edge as the pixel's square sees it, the square's centre at the origin: a normal of unit length that points inwards, and
// the centre's distance. One that is not antialiased lies beyond the square.
vec3 edge_line(float d, vec2 gradient, float radius) {
  float size = max(length(gradient), SMALLEST);
  return radius < 0.0 ? vec3(1.0, 0.0, 2.0) : vec3(gradient, d) / size;
}

// The area of the pixel's square within four edges, which need not be square to it nor to each other: half the sum of each
// side's length times its distance from the origin.
float area_within(vec3 left, vec3 right, vec3 top, vec3 bottom) {
  vec3 lines[8] = vec3[8](
    left, right, top, bottom, vec3(1.0, 0.0, 0.5), vec3(-1.0, 0.0, 0.5), vec3(0.0, 1.0, 0.5), vec3(0.0, -1.0, 0.5));
  float sum = 0.0;
  for (int i = 0; i < 8; i++) {
    // The line's points are foot + s * along; what of it lies inside of all the others is from low to high.
    vec2 foot = -lines[i].z * lines[i].xy;
    vec2 along = vec2(-lines[i].y, lines[i].x);
    float low = -2.0;
    float high = 2.0;
    for (int j = 0; j < 8; j++) {
      if (j == i) continue;
      float height = dot(lines[j].xy, foot) + lines[j].z;
      float slope = dot(lines[j].xy, along);
      float crossing = -height / (abs(slope) > 1e-6 ? slope : 1.0);
      if (slope > 1e-6) low = max(low, crossing);
      else if (slope < -1e-6) high = min(high, crossing);
      // Of two lines that are one, the first has the side.
      else if (height < 0.0 || (height == 0.0 && j < i)) high = -2.0;
    }
    sum += lines[i].z * max(high - low, 0.0);
  }
  return clamp(0.5 * sum, 0.0, 1.0);
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
  // A centre that is on an edge but for rounding, a 65536th of a pixel, is on it.
  vec2 tie = vec2(abs(l.dx.x) + abs(l.dx.y), abs(l.dy.x) + abs(l.dy.y)) / 65536.0;
  float left = radii.x < 0.0 ? half_plane_hard(low.x >= -tie.x) : half_plane(low.x, l.dx);
  float right = radii.y < 0.0 ? half_plane_hard(high.x > tie.x) : half_plane(high.x, l.dx);
  float top = radii.z < 0.0 ? half_plane_hard(low.y >= -tie.y) : half_plane(low.y, l.dy);
  float bottom = radii.w < 0.0 ? half_plane_hard(high.y > tie.y) : half_plane(high.y, l.dy);
  float across = max(left + right - 1.0, 0.0);
  float down = max(top + bottom - 1.0, 0.0);
  float edges = across * down;
  // Where two edges meet that are slanted, what each leaves of the pixel is not independent of the other.
  bool is_slanted = min(abs(l.dx.x), abs(l.dx.y)) + min(abs(l.dy.x), abs(l.dy.y)) > 0.0;
  if (is_slanted && edges > 0.0 && across < 1.0 && down < 1.0) {
    edges = area_within(
      edge_line(low.x, l.dx, radii.x), edge_line(high.x, -l.dx, radii.y), edge_line(low.y, l.dy, radii.z),
      edge_line(high.y, -l.dy, radii.w));
  }

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
