import { Figures } from "./figures.js";
import { Hand } from "./hand.js";
import { Overlay } from "./overlay.js";
import { Wire } from "./wire.js";

const byId = id => document.getElementById(id);
const [stage, glass, picture, outputs] = ["stage", "glass", "picture", "outputs"].map(byId);
const paint = picture.getContext("2d");

const wire = new Wire();
const overlay = new Overlay(byId("marks"));
const figures = new Figures();
const shown = { output: null, width: 16, height: 9, scale: 1 };
let server = null;
let hasBeenLive = false;
let pointer = null;

const hand = new Hand(wire, stage, glass, byId("keys"), () => shown);

// The picture lies in the middle of the stage, as large as fits.
function fit() {
  const [width, height] = [stage.clientWidth - 24, stage.clientHeight - 24];
  const ratio = devicePixelRatio || 1;
  const least = Math.min(width / shown.width, height / shown.height);
  // Pixel for pixel rather than blurred by a little.
  const scale = least * ratio >= 1 && least * ratio < 1.1 ? 1 / ratio : least;
  glass.style.width = `${Math.max(1, shown.width * scale)}px`;
  glass.style.height = `${Math.max(1, shown.height * scale)}px`;
  picture.classList.toggle("large", scale * ratio >= 2);
  overlay.draw();
}
new ResizeObserver(fit).observe(stage);

function tell(state, text) {
  document.body.dataset.state = state;
  if (byId("status-text").textContent !== text) byId("status-text").textContent = text;
}

function veil(title, text) {
  byId("veil").hidden = !title;
  byId("veil-title").textContent = title ?? "";
  byId("veil-text").textContent = text ?? "";
}

// MARK: The connection

wire.addEventListener("open", () => tell("connecting", "Connected"));

wire.addEventListener("server", ({ detail }) => {
  server = detail;
  byId("device").textContent = `portholed ${detail.version}, drawing with ${detail.renderer}`;
  byId("type").hidden = !detail.takesInput || !matchMedia("(pointer: coarse)").matches;
  byId("stage-hint").hidden = !detail.takesInput;
  shown.output = null;
  listOutputs();
});

// Where the desk shows a pointer, the browser's own would be a second one.
let isPointerDrawn = false;

function showPointer() {
  stage.classList.toggle("pointed", isPointerDrawn && shown.output === server?.desk);
}

wire.addEventListener("pointer", ({ detail }) => {
  isPointerDrawn = detail.isDrawn;
  showPointer();
});

wire.addEventListener("gone", ({ detail }) => {
  if (detail !== shown.output) return;
  shown.output = null;
  listOutputs();
});

wire.addEventListener("lost", ({ detail }) => {
  outputs.disabled = true;
  if (detail.code === 1013) {
    tell("gone", "Too many viewers");
    veil("Too many viewers", "Other pages look at this server already. This one tries again until another one is closed.");
    return;
  }
  tell("gone", "Server gone");
  veil(
    hasBeenLive ? "The server is gone" : "No server answers",
    hasBeenLive
      ? "What you see is its last picture. This page connects again when the server is back at this address; a new start may have a new one, which portholed prints."
      : "Is portholed running, and is this the address that it printed? This page goes on trying.");
});

async function listOutputs() {
  const list = await wire.ask("outputs");
  if (!list) return;
  const open = list.filter(output => !output.isSecure);
  const text = output => {
    const owner = output.output === server?.desk ? "Desk" : `${output.clientName || "Output"} ${output.output}`;
    return `${owner}, ${output.width} × ${output.height}`;
  };
  const labels = open.map(output => [String(output.output), text(output)]);
  const current = [...outputs.options].map(option => [option.value, option.textContent]);
  if (String(current) !== String(labels)) {
    outputs.replaceChildren(...labels.map(([value, label]) => new Option(label, value)));
  }
  outputs.disabled = !labels.length;
  if (!open.some(output => output.output === shown.output)) {
    const first = open.find(output => output.output === server?.desk) ?? open.at(0);
    if (first) {
      watch(first.output);
    } else {
      tell("connecting", "No output");
      veil("Nothing is shown yet", "The server has no output. The first one that a client makes appears here.");
    }
  }
  if (shown.output !== null) outputs.value = String(shown.output);
}

function watch(number) {
  shown.output = number;
  overlay.setScene(null);
  overlay.light(null);
  figures.reset();
  showPointer();
  tell("connecting", "Waiting for a picture");
  wire.send("watch", number);
}

outputs.addEventListener("change", () => watch(Number(outputs.value)));

// MARK: Pictures

wire.addEventListener("picture", ({ detail: { header, parts } }) => {
  if (header.output !== shown.output) return;
  const { width, height } = header;
  if (picture.width !== width || picture.height !== height) [picture.width, picture.height] = [width, height];
  if (shown.width !== width || shown.height !== height || shown.scale !== header.frame.scale) {
    Object.assign(shown, { width, height, scale: header.frame.scale });
    overlay.setSize(shown);
    fit();
  }
  for (const part of parts) {
    paint.clearRect(part.x, part.y, part.width, part.height);
    paint.drawImage(part.image, part.x, part.y);
    part.image.close();
  }
  picture.dataset.sequence = header.frame.sequence;
  hasBeenLive = true;
  tell("live", "Live");
  veil(null);
  overlay.flash(parts);
  figures.frame(header);
  refresh();
});

// Documents are asked for where they are looked at and something may have changed, not more often than four times a second,
// and less where the server takes long over them.
let isRefreshing = false;
let refreshed = 0;
let isStale = false;

async function refresh() {
  isStale = true;
  if (isRefreshing || document.hidden || !overlay.needsScene) return;
  isRefreshing = true;
  await new Promise(resolve => setTimeout(resolve, Math.max(0, refreshed - performance.now())));
  isStale = false;
  const start = performance.now();
  const scene = await wire.ask("scene");
  if (scene) overlay.setScene(scene);
  const end = performance.now();
  refreshed = end + Math.max(250, (end - start) * 4);
  isRefreshing = false;
  if (isStale) refresh();
}

setInterval(async () => {
  if (document.hidden || !wire.isOpen) return;
  figures.tick(wire.received);
  const metrics = await wire.ask("metrics");
  if (metrics) figures.server(metrics);
  await listOutputs();
}, 1000);

// MARK: What is shown over it

for (const [id, name] of [["show-layers", "layers"], ["show-portals", "portals"], ["show-damage", "damage"]]) {
  const button = byId(id);
  const set = isOn => {
    button.setAttribute("aria-pressed", String(isOn));
    overlay.shows[name] = isOn;
    localStorage.setItem(name, isOn ? "1" : "");
    refresh();
    overlay.draw();
  };
  button.addEventListener("click", () => set(button.getAttribute("aria-pressed") !== "true"));
  if (localStorage.getItem(name)) set(true);
}

byId("type").addEventListener("click", () => byId("keys").focus());

// MARK: Under the pointer

stage.addEventListener("pointermove", event => {
  const isFirst = pointer === null;
  pointer = hand.point(event);
  if (isFirst) look();
});
stage.addEventListener("pointerleave", () => { pointer = null; });

async function look() {
  // One question at a time, of where the pointer is by then.
  while (pointer && wire.isOpen) {
    const asked = pointer;
    const links = await wire.ask("hit", ...asked);
    if (links && pointer) tellLinks(links);
    await new Promise(requestAnimationFrame);
    while (pointer && pointer === asked) await new Promise(resolve => stage.addEventListener("pointermove", resolve, { once: true }));
  }
  overlay.light(null);
}

function tellLinks(links) {
  overlay.light(links.length ? links.map(link => link.layer) : null);
  if (overlay.needsScene && isStale) refresh();
  const entries = links.flatMap((link, index) => link.path.map((step, place) => {
    const entry = document.createElement("li");
    entry.textContent = step.name || `${step.kind} ${step.layer % 2 ** 32}`;
    entry.title = `${step.kind} ${step.layer}`;
    if (index > 0 && place === 0) entry.className = "through";
    if (step.kind === "portal") entry.classList.add("portal");
    return entry;
  }));
  if (!entries.length) {
    const none = document.createElement("li");
    none.className = "none";
    none.textContent = "No layer here.";
    entries.push(none);
  }
  byId("path").replaceChildren(...entries);
  const last = links.at(-1);
  byId("facts").textContent = last
    ? `${last.path.at(-1)?.kind ?? "layer"} ${last.layer}, at ${last.point.map(side => side.toFixed(1)).join(", ")} of its own`
      + (links.length > 1 ? `, through ${links.length - 1} portal${links.length > 2 ? "s" : ""}` : "")
    : "";
}

wire.connect();
