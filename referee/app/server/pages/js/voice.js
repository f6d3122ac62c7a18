// The calls, spoken: each once, in order. What is taken back is said in the call itself. Browsers demand a touch before the first word.

import { LANGUAGES, t } from "./words.js";

const KEPT = 300;

/** Speaks calls. `heard` is kept per match over a reload, so that nothing is said twice. */
export class Voice extends EventTarget {
  #queue = [];
  #speaking = null;
  #match = "";
  #heard = new Set();

  constructor(store = globalThis.localStorage, speech = globalThis.speechSynthesis) {
    super();
    this.store = store;
    this.speech = speech ?? null;
    this.on = false;
    this.language = "en";
  }

  get possible() {
    return this.speech !== null;
  }

  /** The match whose calls are spoken, and its language. */
  begin(match, language) {
    this.language = LANGUAGES.includes(language) ? language : "en";
    if (match === this.#match) return;
    this.#match = match;
    this.#heard = new Set(this.#read(`cueref.spoken.${match}`) ?? []);
  }

  /** From a user's touch: on or off. What was called before is not said any more. */
  toggle(calls) {
    this.on = !this.on;
    if (this.on) {
      for (const call of calls) this.#heard.add(call.id);
      this.#keep();
      this.#utter(t("voice.on", {}, this.language));
    } else {
      this.#queue = [];
      this.speech?.cancel();
    }
    this.dispatchEvent(new Event("change"));
  }

  /** A call that has come, new or caught up. Heard ones are passed over. */
  call(call) {
    if (this.#heard.has(call.id)) return;
    this.#heard.add(call.id);
    this.#keep();
    if (!this.on) return;
    const words = call.announce?.[this.language] ?? call.announce?.en ?? [];
    if (words.length) this.#utter(words.join(". "));
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

  #read(name) {
    try {
      return JSON.parse(this.store.getItem(name));
    } catch {
      return null;
    }
  }

  #keep() {
    try {
      this.store.setItem(`cueref.spoken.${this.#match}`, JSON.stringify([...this.#heard].slice(-KEPT)));
    } catch {
      // Without storage a reload forgets; within the page nothing is said twice.
    }
  }
}
