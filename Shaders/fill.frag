#version 300 es
precision highp float;

// Whole pixels of one colour.
// In: the colour, the same for the whole quad.
// Alpha: premultiplied in, premultiplied out.

flat in vec4 v_color;

layout(location = 0) out vec4 frag_color;  // premultiplied

void main() {
  frag_color = v_color;
}
