// The calls, spoken: each once, in order. What is taken back is said in the call itself. Browsers demand a touch before the first word.

import { LANGUAGES, t } from "./words.js";

const KEPT = 300;
const SPOKEN = "cueref.spoken.";
/** A call that waited longer for the first touch is past; it is on the page, but not said any more. */
const FRESH_MS = 30000;

/** Speaks calls. `heard` is kept per match over a reload, so that nothing is said twice. */
export class Voice extends EventTarget {
  #queue = [];
  #speaking = null;
  #match = "";
  #heard = new Set();
  #held = [];
  #touched = false;

  constructor(store = globalThis.localStorage, speech = globalThis.speechSynthesis) {
    super();
    this.store = store;
    this.speech = speech ?? null;
    this.language = "en";
    this.wanted = this.#read("cueref.voice") === true;
    const touch = () => {
      for (const each of ["pointerdown", "keydown"]) removeEventListener(each, touch, true);
      this.#touched = true;
      this.#release();
      this.dispatchEvent(new Event("change"));
    };
    for (const each of ["pointerdown", "keydown"]) addEventListener(each, touch, true);
  }

  get possible() {
    return this.speech !== null;
  }

  /** Whether it speaks now: wanted, and the page was touched since it was loaded. */
  get on() {
    return this.wanted && this.#touched;
  }

  /** The match whose calls are spoken, its language, and the calls that were made before this page came. */
  begin(match, language, calls) {
    this.language = LANGUAGES.includes(language) ? language : "en";
    if (match === this.#match) return;
    this.#match = match;
    const known = this.#read(SPOKEN + match);
    this.#heard = new Set(known ?? calls.map((each) => each.id));
    this.#held = [];
    this.#forgetOthers();
    this.#keep();
  }

  /** From a user's touch: on or off. What was called before is not said any more. */
  toggle(calls) {
    this.wanted = !this.wanted;
    this.#write("cueref.voice", this.wanted);
    if (this.wanted) {
      for (const call of calls) this.#heard.add(call.id);
      this.#keep();
      this.#utter(t("voice.on", {}, this.language));
    } else {
      this.#queue = [];
      this.#held = [];
      this.speech?.cancel();
    }
    this.dispatchEvent(new Event("change"));
  }

  /** A call that has come, new or caught up. Heard ones are passed over. */
  call(call) {
    if (this.#heard.has(call.id)) return;
    this.#heard.add(call.id);
    const words = call.announce?.[this.language] ?? call.announce?.en ?? [];
    const text = words.join(". ");
    if (text && this.wanted && !this.#touched) {
      this.#held.push({ id: call.id, text, at: Date.now() });
      this.#keep();
      return;
    }
    this.#keep();
    if (text && this.on) this.#utter(text);
  }

  #release() {
    const held = this.#held.filter((each) => Date.now() - each.at < FRESH_MS);
    this.#held = [];
    this.#keep();
    if (this.on) for (const each of held) this.#utter(each.text);
  }

  #utter(text) {
    this.#queue.push(text);
    this.#next();
  }

  #next() {
    if (this.#speaking || !this.#queue.length || !this.speech) return;
    const text = this.#queue.shift();
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = this.language === "ru" ? "ru-RU" : "en-GB";
    const voices = this.speech.getVoices().filter((each) => each.lang.startsWith(this.language));
    utterance.voice = voices.find((each) => each.lang.replace("_", "-") === utterance.lang) ?? voices[0] ?? null;
    const done = () => {
      if (this.#speaking !== utterance) return;
      this.#speaking = null;
      this.#next();
    };
    utterance.onend = done;
    utterance.onerror = done;
    this.#speaking = utterance;
    this.speech.speak(utterance);
    // Some browsers never report the end; the queue must not hang on it.
    setTimeout(done, 2500 + text.length * 140);
  }

  /** One match is on at a time: what was spoken of others need not be known any more. */
  #forgetOthers() {
    try {
      const names = Array.from({ length: this.store.length }, (_, i) => this.store.key(i));
      for (const name of names) {
        if (name.startsWith(SPOKEN) && name !== SPOKEN + this.#match) this.store.removeItem(name);
      }
    } catch {
      // Storage is switched off.
    }
  }

  #read(name) {
    try {
      return JSON.parse(this.store.getItem(name));
    } catch {
      return null;
    }
  }

  #write(name, value) {
    try {
      this.store.setItem(name, JSON.stringify(value));
    } catch {
      // Without storage a reload forgets; within the page nothing is said twice.
    }
  }

  /** What still waits for a touch counts as not heard: another reload must not lose it. */
  #keep() {
    if (this.#heard.size > 2 * KEPT) this.#heard = new Set([...this.#heard].slice(-KEPT));
    const waiting = new Set(this.#held.map((each) => each.id));
    if (this.#match) this.#write(SPOKEN + this.#match, [...this.#heard].filter((id) => !waiting.has(id)).slice(-KEPT));
  }
}
