// The figures beside the picture.

const number = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat("en", { maximumFractionDigits: 1, minimumFractionDigits: 1 });

export function bytes(count) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (count >= 1000 && unit < 4) [count, unit] = [count / 1000, unit + 1];
  return `${unit ? fine.format(count) : number.format(count)} ${units[unit]}`;
}

const byId = id => document.getElementById(id);

// Rows are made once; after that only what differs is written.
function fill(list, rows) {
  if (list.childElementCount !== rows.length * 2) {
    list.replaceChildren(...rows.flatMap(([name]) => {
      const [term, value] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = name;
      return [term, value];
    }));
  }
  rows.forEach(([, value], index) => {
    const cell = list.children[index * 2 + 1];
    if (cell.textContent !== value) cell.textContent = value;
  });
}

// The text form of Prometheus: its plain lines, by name.
export function readMetrics(text) {
  const values = new Map();
  for (const line of text.split("\n")) {
    const match = /^porthole_([a-z_]+) ([-+.e\d]+)$/.exec(line);
    if (match) values.set(match[1], Number(match[2]));
  }
  return values;
}

export class Figures {
  #frames = [];
  #last = null;
  #page = null;

  reset() {
    [this.#frames, this.#last, this.#page] = [[], null, null];
    byId("rate").textContent = byId("time").textContent = "–";
    this.#spark(0);
  }

  frame(header) {
    const { frame } = header;
    if (this.#frames.length && frame.sequence < this.#frames.at(-1).sequence) this.#frames = [];
    this.#frames.push({ sequence: frame.sequence, time: frame.time, milliseconds: frame.milliseconds, at: performance.now() });
    if (this.#frames.length > 240) this.#frames.shift();
    byId("time").textContent = fine.format(frame.milliseconds);
    this.#spark(frame.rate);
    const { counters } = frame;
    fill(byId("frame"), [
      ["Size", `${header.width} × ${header.height}`],
      ["Passes", number.format(counters.passes)],
      ["Draw calls", number.format(counters.batches)],
      ["Quads", number.format(counters.quads)],
      ["Portals sampled", number.format(counters.portalsSampled)],
      ["Portals drawn again", number.format(counters.portalsInlined)],
      ["Sources drawn", number.format(counters.sourcesDrawn)],
      ["Pixels shaded", number.format(counters.shadedPixels)],
    ]);
  }

  // What went by in the last second, whether or not this page saw it.
  tick(received) {
    const now = performance.now();
    const recent = this.#frames.filter(frame => now - frame.at < 1500);
    const [first, last] = [recent[0], recent.at(-1)];
    const span = last && first ? last.time - first.time : 0;
    const rate = span > 0 ? (last.sequence - first.sequence) / span * 1000 : 0;
    if (this.#frames.length) byId("rate").textContent = rate >= 9.95 || rate === 0 ? number.format(rate) : fine.format(rate);
    const old = this.#page;
    this.#page = { ...received, now };
    if (!old) return;
    const seconds = (now - old.now) / 1000;
    fill(byId("page"), [
      ["Pictures a second", fine.format((received.pictures - old.pictures) / seconds)],
      ["Parts a picture", fine.format((received.parts - old.parts) / Math.max(1, received.pictures - old.pictures))],
      ["Received a second", bytes((received.bytes - old.bytes) / seconds)],
      ["Received in all", bytes(received.bytes)],
    ]);
  }

  server(text) {
    const values = readMetrics(text);
    const now = performance.now();
    const old = this.#last;
    this.#last = { values, now };
    const value = name => values.get(name) ?? 0;
    const perSecond = name => old ? (value(name) - (old.values.get(name) ?? 0)) / (now - old.now) * 1000 : 0;
    fill(byId("server"), [
      ["Clients", number.format(value("clients"))],
      ["Layers", number.format(value("layers"))],
      ["Portals", number.format(value("portals"))],
      ["Outputs", number.format(value("outputs"))],
      ["Exports", number.format(value("exports"))],
      ["Texture memory", bytes(value("texture_bytes"))],
      ["Shared memory", bytes(value("shared_bytes"))],
      ["Commits a second", fine.format(perSecond("commits_total"))],
      ["Frames drawn", number.format(value("frames_drawn_total"))],
      ["Processor", `${number.format(perSecond("processor_seconds_total") * 100)} %`],
    ]);
  }

  #spark(rate) {
    const times = this.#frames.map(frame => frame.milliseconds);
    const due = rate > 0 ? 1000 / rate : 0;
    const top = Math.max(due * 1.25, ...times, 1);
    const y = time => (62 - time / top * 58).toFixed(1);
    const step = 240 / 119;
    const shown = times.slice(-120);
    const line = shown.map((time, index) => `${index ? "L" : "M"}${(index * step).toFixed(1)} ${y(time)}`).join("");
    byId("spark-line").setAttribute("d", line);
    byId("spark-area").setAttribute("d", line ? `${line}L${((shown.length - 1) * step).toFixed(1)} 64L0 64Z` : "");
    byId("spark-due").setAttribute("d", due && due <= top ? `M0 ${y(due)}H240` : "");
    byId("spark").setAttribute("aria-label", shown.length
      ? `Frame times: last ${fine.format(shown.at(-1))} ms, longest ${fine.format(Math.max(...shown))} ms` : "Frame times");
    byId("spark-note").textContent = due
      ? `from when a frame was to begin until its pixels are there; dashed: ${fine.format(due)} ms, its period`
      : "from when a frame was to begin until its pixels are there";
  }
}
