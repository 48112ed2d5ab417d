import Testing

/// One after another, since they count descriptors and measure time.
@Suite("A client and a server in processes of their own", .serialized)
struct ServerSystemTests {}
