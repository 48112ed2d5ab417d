#version 440
// A part of the texture: `part` is its corner and size, in texture coordinates.
layout(location = 0) in vec2 qt_TexCoord0;
layout(location = 0) out vec4 fragColor;
layout(std140, binding = 0) uniform buf {
  mat4 qt_Matrix;
  float qt_Opacity;
  vec4 part;
};
layout(binding = 1) uniform sampler2D source;
void main() { fragColor = texture(source, part.xy + qt_TexCoord0 * part.zw) * qt_Opacity; }
