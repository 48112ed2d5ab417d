import BenchCore
import Testing

@Suite("the plot")
struct PlotTests {
  @Test("a document is these bytes")
  func bytes() {
    var document = SVGDocument(width: 100, height: 50, title: "A < B", summary: "one & two")
    document.rect(x: 0, y: 0, width: 100, height: 50.004, fill: "#fff")
    document.line(PlotPoint(0.123, 1), PlotPoint(10, -0.001), stroke: Stroke("#000", width: 1.5, dashes: [2, 3.25]))
    document.polyline([PlotPoint(1, 2), PlotPoint(3.456, 4)], stroke: Stroke("#00f"))
    document.polygon([PlotPoint(1, 2), PlotPoint(3, 4), PlotPoint(5, 6)], fill: "#0f0", opacity: 0.25)
    document.circle(PlotPoint(9, 9), radius: 2, fill: "#f00", stroke: Stroke("#fff"))
    document.text("p \"95\" > 5", at: PlotPoint(4, 5), style: TextStyle(size: 12, isBold: true, anchor: .end))
    #expect(
      document.text == """
        <svg xmlns="http://www.w3.org/2000/svg" width="100" height="50" viewBox="0 0 100 50" role="img" \
        font-family="'DejaVu Sans', 'Helvetica Neue', Helvetica, Arial, sans-serif">
        <title>A &lt; B</title>
        <desc>one &amp; two</desc>
        <rect x="0" y="0" width="100" height="50" fill="#fff"/>
        <line x1="0.12" y1="1" x2="10" y2="0" stroke="#000" stroke-width="1.5" stroke-dasharray="2 3.25"/>
        <polyline points="1,2 3.46,4" fill="none" stroke="#00f" stroke-width="1"/>
        <polygon points="1,2 3,4 5,6" fill="#0f0" fill-opacity="0.25"/>
        <circle cx="9" cy="9" r="2" fill="#f00" stroke="#fff" stroke-width="1"/>
        <text x="4" y="5" font-size="12" fill="#1b1f24" font-weight="bold" text-anchor="end">p &quot;95&quot; &gt; 5</text>
        </svg>

        """)
  }

  @Test("numbers that are none leave the file readable")
  func noNumber() {
    var document = SVGDocument(width: 10, height: 10, title: "", summary: "")
    document.circle(PlotPoint(.nan, .infinity), radius: 1, fill: "#000")
    #expect(document.text.contains("cx=\"0\" cy=\"0\""))
  }

  @Test("a log axis puts equal factors at equal distances, and has round ticks")
  func axis() {
    let axis = LogAxis(low: 0.5, high: 200, start: 400, end: 0)
    #expect((axis.pixel(1) - axis.pixel(10) - (axis.pixel(10) - axis.pixel(100))).magnitude < 1e-9)
    #expect(axis.pixel(0.1) == 400)
    #expect(axis.pixel(.nan) == 400)
    #expect(axis.pixel(1e9) == 0)
    #expect(axis.ticks == [0.5, 1, 2, 5, 10, 20, 50, 100, 200])
    #expect(LogAxis(low: 0.1, high: 10_000, start: 0, end: 1).ticks == [0.1, 1, 10, 100, 1000, 10_000])
    #expect(LogAxis(low: -1, high: .nan, start: 0, end: 1).ticks == [1, 2, 5, 10])
  }

  @Test("labels that would cover each other are moved apart, no further than they must")
  func labels() {
    let column = LabelColumn(wishes: [50, 52, 90, 300, 2], height: 20, top: 0, bottom: 200)
    let places = column.places
    #expect(places[2] == 90)
    #expect(places[3] == 190)
    #expect(places[4] == 10)
    #expect(places[0] == 41 && places[1] == 61)
    let many = LabelColumn(wishes: [10, 10, 10], height: 20, top: 0, bottom: 60).places
    #expect(many == [10, 30, 50])
  }

  @Test("the plot of a result is the same bytes each time, holds every strategy, and becomes a PNG of its size")
  func result() throws {
    let result = FakeRun.result()
    let svg = ScalePlot(result).svg
    #expect(svg == ScalePlot(FakeRun.result()).svg)
    for strategy in Strategy.allCases { #expect(svg.contains(">\(strategy.rawValue)</text>")) }
    #expect(svg.contains(">60 Hz</text>"))
    #expect(!svg.contains("nan") && !svg.contains("inf"))

    let png = try PNGExport.png(ScalePlot(result).document())
    #expect(Array(png.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    #expect(Array(png[16..<20]) == [0, 0, 0x04, 0xB0])
  }

  @Test("a result without a single measurement still makes a plot")
  func empty() {
    var result = FakeRun.result()
    for index in result.cells.indices {
      result.cells[index].status = .invalid
      result.cells[index].rounds = []
    }
    result.scaling = []
    result.capacities = []
    #expect(ScalePlot(result).svg.contains("What N portals cost"))
  }
}
