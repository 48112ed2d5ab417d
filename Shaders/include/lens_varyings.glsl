// What the two stages of `lens` hand on, the same for the whole quad. Included by both with LENS_VARYING defined as
// `flat out` or `flat in`; fifteen vectors at most, which every GLES 3 driver has.

LENS_VARYING vec4 v_origin;        // corner in target space; u, v there
LENS_VARYING vec4 v_gradient;      // change of (u, v) a pixel to the right, a pixel down
LENS_VARYING vec4 v_sampling;      // factor; whether coverage alone is drawn; towards the light
LENS_VARYING vec4 v_to_layer;      // change of layer x, y a pixel to the right, a pixel down
LENS_VARYING vec4 v_layer_origin;  // layer x, y at the corner; how many shapes; radius of the fifth
LENS_VARYING vec4 v_glass;         // smoothing, rim, thickness, refractive index
LENS_VARYING vec2 v_look;          // chromatic spread, highlight's width
LENS_VARYING vec4 v_highlight;     // straight
LENS_VARYING vec4 v_shape_0;       // min, max in layer space
LENS_VARYING vec4 v_shape_1;
LENS_VARYING vec4 v_shape_2;
LENS_VARYING vec4 v_shape_3;
LENS_VARYING vec4 v_shape_4;
LENS_VARYING vec4 v_shape_radii;   // of the first four
LENS_VARYING vec4 v_bounds;        // min, max in layer space
