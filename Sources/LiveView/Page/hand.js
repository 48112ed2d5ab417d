// What a hand does on the picture, as the server takes it: points of the output, and Linux's numbers of buttons and keys.

const buttons = [0x110, 0x112, 0x111, 0x113, 0x114];

const rows = [
  [1, "Escape Digit1 Digit2 Digit3 Digit4 Digit5 Digit6 Digit7 Digit8 Digit9 Digit0 Minus Equal Backspace Tab"],
  [16, "KeyQ KeyW KeyE KeyR KeyT KeyY KeyU KeyI KeyO KeyP BracketLeft BracketRight Enter ControlLeft"],
  [30, "KeyA KeyS KeyD KeyF KeyG KeyH KeyJ KeyK KeyL Semicolon Quote Backquote ShiftLeft Backslash"],
  [44, "KeyZ KeyX KeyC KeyV KeyB KeyN KeyM Comma Period Slash ShiftRight NumpadMultiply AltLeft Space CapsLock"],
  [59, "F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 NumLock ScrollLock Numpad7 Numpad8 Numpad9 NumpadSubtract Numpad4 Numpad5"],
  [77, "Numpad6 NumpadAdd Numpad1 Numpad2 Numpad3 Numpad0 NumpadDecimal"],
  [86, "IntlBackslash F11 F12"],
  [96, "NumpadEnter ControlRight NumpadDivide PrintScreen AltRight"],
  [102, "Home ArrowUp PageUp ArrowLeft ArrowRight End ArrowDown PageDown Insert Delete"],
  [125, "MetaLeft MetaRight ContextMenu"],
];
const keys = new Map(rows.flatMap(([first, names]) => names.split(" ").map((name, index) => [name, first + index])));

export class Hand {
  #wire;
  #stage;
  #glass;
  #scene;
  #down = { buttons: new Set(), keys: new Set() };
  #fingers = new Map();
  #next = null;

  // `scene` says the output's size in pixels and its scale.
  constructor(wire, stage, glass, typed, scene) {
    [this.#wire, this.#stage, this.#glass, this.#scene] = [wire, stage, glass, scene];
    stage.addEventListener("pointermove", event => this.#move(event));
    stage.addEventListener("pointerdown", event => this.#press(event));
    stage.addEventListener("pointerup", event => this.#release(event));
    stage.addEventListener("pointercancel", event => this.#release(event));
    stage.addEventListener("contextmenu", event => event.preventDefault());
    stage.addEventListener("wheel", event => this.#scroll(event), { passive: false });
    stage.addEventListener("keydown", event => this.#key(event, true));
    stage.addEventListener("keyup", event => this.#key(event, false));
    stage.addEventListener("blur", () => this.letGo());
    typed.addEventListener("input", () => {
      if (typed.value) wire.send("text", typed.value.slice(0, 250));
      typed.value = "";
    });
    typed.addEventListener("keydown", event => {
      const code = { Enter: 28, Backspace: 14, Tab: 15 }[event.key];
      if (!code) return;
      event.preventDefault();
      wire.send("key", code, 1);
      wire.send("key", code, 0);
    });
  }

  // In the output's own units.
  point(event) {
    const box = this.#glass.getBoundingClientRect();
    const { width, height, scale } = this.#scene();
    const round = number => Math.round(number * 1000) / 1000;
    return [
      round((event.clientX - box.left) / box.width * width / scale),
      round((event.clientY - box.top) / box.height * height / scale),
    ];
  }

  // Nothing stays down that nobody holds.
  letGo() {
    for (const code of this.#down.buttons) this.#wire.send("button", code, 0);
    for (const code of this.#down.keys) this.#wire.send("key", code, 0);
    this.#down.buttons.clear();
    this.#down.keys.clear();
  }

  #move(event) {
    if (event.pointerType === "touch" && !this.#fingers.has(event.pointerId)) return;
    const point = this.point(event);
    const words = event.pointerType === "touch"
      ? ["touch", this.#fingers.get(event.pointerId), "move", ...point] : ["move", ...point];
    // No more than one a frame; the last one counts.
    if (!this.#next) requestAnimationFrame(() => this.#flush());
    (this.#next ??= new Map()).set(event.pointerId, words);
  }

  #flush() {
    for (const words of this.#next?.values() ?? []) this.#wire.send(...words);
    this.#next = null;
  }

  #press(event) {
    this.#stage.focus({ preventScroll: true });
    this.#stage.setPointerCapture(event.pointerId);
    event.preventDefault();
    this.#flush();
    const point = this.point(event);
    if (event.pointerType === "touch") {
      const finger = [...Array(16).keys()].find(number => ![...this.#fingers.values()].includes(number)) ?? 15;
      this.#fingers.set(event.pointerId, finger);
      this.#wire.send("touch", finger, "down", ...point);
      return;
    }
    this.#wire.send("move", ...point);
    this.#button(event, true);
  }

  #release(event) {
    this.#flush();
    if (event.pointerType === "touch") {
      const finger = this.#fingers.get(event.pointerId);
      if (finger === undefined) return;
      this.#fingers.delete(event.pointerId);
      this.#wire.send("touch", finger, "up");
      return;
    }
    if (event.type === "pointerup") this.#wire.send("move", ...this.point(event));
    this.#button(event, false);
  }

  #button(event, isDown) {
    const code = buttons[event.button];
    if (code === undefined) return;
    if (isDown) this.#down.buttons.add(code); else this.#down.buttons.delete(code);
    this.#wire.send("button", code, isDown ? 1 : 0);
  }

  #scroll(event) {
    event.preventDefault();
    this.#flush();
    // A wheel's click is ten of the server's units, and about a hundred pixels or three lines here.
    const unit = [0.1, 10 / 3, 100][event.deltaMode] ?? 0.1;
    const bound = number => Math.max(-1000, Math.min(1000, Math.round(number * unit * 100) / 100));
    this.#wire.send("scroll", bound(event.deltaX), bound(event.deltaY));
  }

  #key(event, isDown) {
    const code = keys.get(event.code);
    if (isDown && event.key === "Escape" && event.shiftKey) {
      event.preventDefault();
      this.letGo();
      document.getElementById("show-layers").focus();
      return;
    }
    if (code === undefined) return;
    event.preventDefault();
    // Programs repeat keys by themselves.
    if (event.repeat) return;
    if (!isDown) {
      if (this.#down.keys.delete(code)) this.#wire.send("key", code, 0);
      return;
    }
    this.#down.keys.add(code);
    // What this keyboard makes of it, unless it is a command.
    const isText = [...event.key].length === 1 && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (isText) this.#wire.send("key", code, 1, event.key); else this.#wire.send("key", code, 1);
  }
}
