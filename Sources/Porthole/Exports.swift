// What an application needs beside the library's own names comes with `import Porthole`.
@_exported import Commit
@_exported import FramePlan
@_exported import Geometry
@_exported import ImageFiles
@_exported import VectorGraphics

@_exported import struct GLES.DeviceReport
@_exported import struct GLES.DisplayAttempt
@_exported import enum GLES.DisplayChoice
@_exported import enum GLES.DisplayKind
