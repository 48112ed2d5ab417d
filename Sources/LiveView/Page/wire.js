// The connection to the server: messages there and back, and finding it again when it is lost.

export class Wire extends EventTarget {
  #socket = null;
  #pause = 250;
  #timer = 0;
  #waiting = new Map();
  #chain = Promise.resolve();
  #unshown = 0;
  received = { bytes: 0, pictures: 0, parts: 0 };

  constructor() {
    super();
    document.addEventListener("visibilitychange", () => this.#acknowledge());
  }

  get isOpen() { return this.#socket?.readyState === WebSocket.OPEN; }

  connect() {
    clearTimeout(this.#timer);
    const address = new URL("live", location.href);
    address.protocol = "ws:";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onopen = () => {
      this.#pause = 250;
      this.#unshown = 0;
      this.dispatchEvent(new Event("open"));
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.#text(data); else this.#picture(data, socket);
    };
    socket.onclose = event => {
      if (this.#socket !== socket) return;
      for (const { give } of this.#waiting.values()) give(null);
      this.#waiting.clear();
      this.dispatchEvent(new CustomEvent("lost", { detail: { code: event.code, reason: event.reason } }));
      this.#timer = setTimeout(() => this.connect(), this.#pause);
      this.#pause = Math.min(4000, this.#pause * 1.7);
    };
  }

  send(...words) {
    if (this.isOpen) this.#socket.send(JSON.stringify(words));
  }

  // One question of a name at a time; null where there is no answer.
  ask(name, ...words) {
    if (!this.isOpen) return Promise.resolve(null);
    const known = this.#waiting.get(name);
    if (known) return known.promise;
    let give;
    const promise = new Promise(resolve => { give = resolve; });
    this.#waiting.set(name, { give, promise });
    if (name === "hit") this.send("hit", ...words); else this.send("ask", name);
    return promise;
  }

  #text(data) {
    const message = JSON.parse(data);
    if ("answer" in message) {
      const asked = this.#waiting.get(message.answer);
      this.#waiting.delete(message.answer);
      asked?.give(message.value);
    } else {
      for (const [name, detail] of Object.entries(message)) this.dispatchEvent(new CustomEvent(name, { detail }));
    }
  }

  // Pictures are shown in their order, and said to be when they are: the server sends no more than two ahead.
  #picture(data, socket) {
    const length = new DataView(data).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
    this.received.bytes += data.byteLength;
    this.received.pictures += 1;
    this.received.parts += header.parts.length;
    let place = 4 + length;
    const parts = header.parts.map(([x, y, width, height, bytes]) => {
      const file = new Blob([new Uint8Array(data, place, bytes)], { type: "image/png" });
      place += bytes;
      return createImageBitmap(file, { colorSpaceConversion: "none" }).then(image => ({ x, y, width, height, image }));
    });
    this.#chain = this.#chain.then(async () => {
      const detail = { header, parts: await Promise.all(parts) };
      if (this.#socket !== socket) return;
      this.dispatchEvent(new CustomEvent("picture", { detail }));
      this.#unshown += 1;
      this.#acknowledge();
    }).catch(error => console.error(error));
  }

  // A page that nobody sees takes no more pictures.
  #acknowledge() {
    while (!document.hidden && this.#unshown > 0 && this.isOpen) {
      this.#unshown -= 1;
      this.send("ack");
    }
  }
}
