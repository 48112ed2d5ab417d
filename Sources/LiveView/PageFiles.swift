/// What the page is made of.
struct PageFile {
  let kind: String
  let bytes: [UInt8]

  /// By the name in its address, empty for the page itself; nil for none.
  init?(_ name: String) {
    switch name {
    case "": (kind, bytes) = ("text/html; charset=utf-8", PackageResources.index_html)
    case "page.css": (kind, bytes) = ("text/css; charset=utf-8", PackageResources.page_css)
    case "page.js": (kind, bytes) = ("text/javascript; charset=utf-8", PackageResources.page_js)
    case "wire.js": (kind, bytes) = ("text/javascript; charset=utf-8", PackageResources.wire_js)
    case "hand.js": (kind, bytes) = ("text/javascript; charset=utf-8", PackageResources.hand_js)
    case "overlay.js": (kind, bytes) = ("text/javascript; charset=utf-8", PackageResources.overlay_js)
    case "figures.js": (kind, bytes) = ("text/javascript; charset=utf-8", PackageResources.figures_js)
    case "icon.svg": (kind, bytes) = ("image/svg+xml", PackageResources.icon_svg)
    default: return nil
    }
  }

  /// Said with each of them: nothing but these files runs or is loaded, nobody frames them, and no address is passed on.
  static let headers = [
    (
      "content-security-policy:",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'"
    ),
    ("x-content-type-options:", "nosniff"), ("referrer-policy:", "no-referrer"), ("cache-control:", "no-store"),
    ("cross-origin-opener-policy:", "same-origin"), ("cross-origin-resource-policy:", "same-origin"),
  ]
}
