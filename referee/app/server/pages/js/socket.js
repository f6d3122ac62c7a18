// The line to the server. After a break it asks for what it missed by sequence number; a silent line counts as down.

const PING_MS = 4000;
const SILENT_MS = 11000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;

/** Events: `status` (connecting, live, down), `state`, `call`, `table`, `source`, `putback`, `hello`. */
export class Line extends EventTarget {
  #socket = null;
  #heard = 0;
  #wait = FIRST_WAIT_MS;
  #timer = null;

  constructor(path = "/api/socket") {
    super();
    this.path = path;
    this.seq = 0;
    this.match = null;
    this.state = null;
    this.role = "viewer";
    this.status = "connecting";
    this.downSince = null;
  }

  open() {
    this.#connect();
    setInterval(() => this.#watch(), PING_MS);
    addEventListener("online", () => this.#again(0));
    addEventListener("offline", () => this.#lost());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.status === "down") this.#again(0);
    });
    return this;
  }

  /** Anew, with the role that the cookie gives now. */
  renew() {
    this.#lost();
    this.#again(0);
  }

  #connect() {
    clearTimeout(this.#timer);
    this.#timer = null;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${this.path}?${this.#known()}`);
    this.#socket = socket;
    this.#heard = Date.now();
    socket.onmessage = (event) => {
      if (socket !== this.#socket) return;
      this.#heard = Date.now();
      this.#take(JSON.parse(event.data));
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#lost();
    };
    socket.onerror = () => socket.close();
  }

  /** What this page has already seen, so that only what it missed is told again. */
  #known() {
    return this.match ? new URLSearchParams({ since: this.seq, match: this.match }) : "";
  }

  #take(message) {
    if (message.type === "hello") {
      this.#wait = FIRST_WAIT_MS;
      this.role = message.role;
      this.#set("live");
      this.#tell("hello", message);
      return undefined;
    }
    if (message.type === "pong") return undefined;
    if (typeof message.seq === "number") {
      if (message.type !== "snapshot" && message.seq < this.seq) return undefined;
      this.seq = message.seq;
    }
    if (message.type === "snapshot" || message.type === "state") {
      this.state = message.state;
      this.match = this.state?.match?.id ?? null;
      this.#tell("state", { state: this.state, snapshot: message.type === "snapshot" });
    } else {
      if (message.type === "source" && this.state) this.state = { ...this.state, source: message.source };
      this.#tell(message.type, message);
    }
    return undefined;
  }

  #watch() {
    if (this.#socket?.readyState === WebSocket.OPEN) {
      this.#socket.send('{"type":"ping"}');
      if (Date.now() - this.#heard > SILENT_MS) this.#lost();
    } else if (this.#socket?.readyState === WebSocket.CONNECTING && Date.now() - this.#heard > SILENT_MS) {
      this.#lost();
    }
  }

  #lost() {
    const old = this.#socket;
    this.#socket = null;
    old?.close();
    this.#set("down");
    this.#again(this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
  }

  #again(wait) {
    if (this.#socket) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), wait);
  }

  #set(status) {
    if (status === this.status) return;
    this.status = status;
    this.downSince = status === "down" ? new Date() : null;
    document.documentElement.dataset.line = status;
    this.#tell("status", { status });
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
