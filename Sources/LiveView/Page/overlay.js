// What is drawn over the picture: outlines of layers, portals with a line to their sources, and what each picture brought.

const flashTime = 500;

export class Overlay {
  #canvas;
  #layers = [];
  #known = new Map();
  #flashes = [];
  #isAsked = false;
  #size = { width: 1, height: 1, scale: 1 };
  shows = { layers: false, portals: false, damage: false };
  #lit = null;

  constructor(canvas) {
    this.#canvas = canvas;
    new ResizeObserver(() => this.draw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  get needsScene() { return this.shows.layers || this.shows.portals || this.#lit !== null; }

  setSize(size) { this.#size = size; }

  setScene(scene) {
    this.#layers = scene?.layers ?? [];
    this.#known = new Map(this.#layers.map(entry => [entry.layer, entry]));
    this.draw();
  }

  // The layers on the way through portals to the one that is lit; null for none.
  light(layers) {
    if (String(this.#lit) === String(layers)) return;
    this.#lit = layers;
    this.draw();
  }

  flash(parts) {
    if (!this.shows.damage) return;
    const now = performance.now();
    for (const { x, y, width, height } of parts) this.#flashes.push({ x, y, width, height, now });
    this.#flashes = this.#flashes.slice(-200);
    this.draw();
  }

  draw() {
    if (this.#isAsked) return;
    this.#isAsked = true;
    requestAnimationFrame(now => {
      this.#isAsked = false;
      this.#paint(now);
    });
  }

  #paint(now) {
    const canvas = this.#canvas;
    const ratio = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map(side => Math.max(1, Math.round(side * ratio)));
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    const ink = canvas.getContext("2d");
    ink.setTransform(1, 0, 0, 1, 0, 0);
    ink.clearRect(0, 0, width, height);
    const style = getComputedStyle(document.documentElement);
    const color = name => style.getPropertyValue(name).trim();
    // From the output's pixels to the canvas; layers are in points.
    const fit = width / this.#size.width;
    const points = fit * this.#size.scale;
    const unit = ratio;
    this.#flashes = this.#flashes.filter(flash => now - flash.now < flashTime);
    if (this.shows.damage) this.#paintFlashes(ink, now, fit, unit, color("--damage"));
    if (this.shows.layers) {
      for (const entry of this.#layers) {
        if (!("source" in entry)) this.#outline(ink, entry, points, color("--layer"), unit, 0.75);
      }
    }
    if (this.shows.portals) {
      for (const entry of this.#layers) if ("source" in entry) this.#portal(ink, entry, points, color("--portal"), unit);
    }
    this.#paintLit(ink, points, unit, color("--accent"), color("--portal"));
    if (this.#flashes.length) this.draw();
  }

  #paintFlashes(ink, now, fit, unit, color) {
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    ink.fillStyle = ink.strokeStyle = color;
    ink.lineWidth = 1.5 * unit;
    for (const flash of this.#flashes) {
      const left = isCalm ? 0.5 : 1 - (now - flash.now) / flashTime;
      const box = [flash.x, flash.y, flash.width, flash.height].map(side => side * fit);
      ink.globalAlpha = 0.28 * left;
      ink.fillRect(...box);
      ink.globalAlpha = left;
      ink.strokeRect(...box);
    }
    ink.globalAlpha = 1;
  }

  #trace(ink, corners, points) {
    ink.beginPath();
    for (let index = 0; index < 8; index += 2) ink.lineTo(corners[index] * points, corners[index + 1] * points);
    ink.closePath();
  }

  #outline(ink, entry, points, color, width, alpha) {
    this.#trace(ink, entry.corners, points);
    ink.globalAlpha = alpha;
    ink.strokeStyle = color;
    ink.lineWidth = width;
    ink.stroke();
    ink.globalAlpha = 1;
  }

  #middle({ corners }, points) {
    return [0, 1].map(axis => (corners[axis] + corners[axis + 2] + corners[axis + 4] + corners[axis + 6]) / 4 * points);
  }

  #portal(ink, entry, points, color, unit) {
    this.#outline(ink, entry, points, color, 2 * unit, 1);
    const [x, y] = this.#middle(entry, points);
    const source = this.#known.get(entry.source);
    if (source) this.#line(ink, [x, y], this.#middle(source, points), color, unit);
    ink.fillStyle = color;
    ink.beginPath();
    ink.arc(x, y, 4 * unit, 0, 7);
    // A ring where the source stands elsewhere, or nowhere.
    if (source) ink.fill(); else { ink.lineWidth = 2 * unit; ink.stroke(); }
  }

  // Bent, so that lines of many portals can be told apart; with a square at the source.
  #line(ink, [x, y], [toX, toY], color, unit) {
    const [bendX, bendY] = [(x + toX) / 2 - (toY - y) * 0.15, (y + toY) / 2 + (toX - x) * 0.15];
    ink.strokeStyle = ink.fillStyle = color;
    ink.lineWidth = 1.5 * unit;
    ink.setLineDash([6 * unit, 4 * unit]);
    ink.beginPath();
    ink.moveTo(x, y);
    ink.quadraticCurveTo(bendX, bendY, toX, toY);
    ink.stroke();
    ink.setLineDash([]);
    ink.fillRect(toX - 3.5 * unit, toY - 3.5 * unit, 7 * unit, 7 * unit);
  }

  #paintLit(ink, points, unit, color, portalColor) {
    const entries = (this.#lit ?? []).map(layer => this.#known.get(layer)).filter(Boolean);
    entries.forEach((entry, index) => {
      this.#trace(ink, entry.corners, points);
      ink.globalAlpha = 0.16;
      ink.fillStyle = "source" in entry ? portalColor : color;
      ink.fill();
      this.#outline(ink, entry, points, ink.fillStyle, 2 * unit, 1);
      if (index > 0) {
        this.#line(ink, this.#middle(entries[index - 1], points), this.#middle(entry, points), portalColor, unit);
      }
    });
  }
}
