// What the two stages of `shape` hand on, the same for the whole quad. Included by both with SHAPE_VARYING
// defined as `flat out` or `flat in`; fifteen vectors at most, which every GLES 3 driver has.
// Spaces: "q" is target space less the anchor, "layer" and "clip" are the spaces of the rectangle and the clip.

SHAPE_VARYING vec4 v_frame;         // anchor in target space; border width in layer units or, where TEXTURED, less the samples a pixel; mip level
SHAPE_VARYING vec3 v_to_layer_x;    // q → layer: the homography's rows m11 m12 m14,
SHAPE_VARYING vec3 v_to_layer_y;    // m21 m22 m24
SHAPE_VARYING vec3 v_to_layer_one;  // and m41 m42 m44
SHAPE_VARYING vec4 v_rect;          // min, max in layer space
SHAPE_VARYING vec4 v_radii;         // top left, top right, bottom right, bottom left, in layer units
SHAPE_VARYING vec4 v_scissor;       // min, max in q
SHAPE_VARYING vec4 v_color;         // premultiplied; a factor of each component where TEXTURED

#ifdef TEXTURED
SHAPE_VARYING vec4 v_to_texture;         // change of (u, v) with layer x, with layer y
SHAPE_VARYING vec2 v_to_texture_origin;  // (u, v) at the layer's origin
SHAPE_VARYING vec4 v_texture_limits;     // min, max of (u, v); where RADIAL or CONIC, x and z are the places along the gradient that the row is of
#endif

#ifdef CLIPPED
SHAPE_VARYING vec3 v_to_clip_x;    // q → clip, as above
SHAPE_VARYING vec3 v_to_clip_y;
SHAPE_VARYING vec3 v_to_clip_one;
SHAPE_VARYING vec4 v_clip_rect;    // min, max in clip space
SHAPE_VARYING vec4 v_clip_radii;   // as v_radii, in clip units
#endif
