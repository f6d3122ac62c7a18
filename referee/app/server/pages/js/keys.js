// Keyboard shortcuts, and the list of them under "?".

import { $, button, h } from "./dom.js";
import { t } from "./words.js";

/** A dialog with a title, a body and a foot; it is removed when it closes. */
export function dialog(title, body, foot = [], { onclose = null, wide = false } = {}) {
  const node = h(
    "dialog",
    { "aria-label": title, class: wide ? "wide" : "" },
    h(
      "header",
      null,
      h("h2", null, title),
      h(
        "button",
        { type: "button", class: "tool", "aria-label": t("close"), title: t("close"), onclick: () => node.close() },
        "✕",
      ),
    ),
    h("div", { class: "body" }, body),
    foot.length ? h("footer", null, foot) : null,
  );
  node.addEventListener("close", () => {
    node.remove();
    onclose?.();
  });
  document.body.append(node);
  node.showModal();
  return node;
}

/** Asks once more before something that is hard to take back. */
export function confirmed(text, yes) {
  return new Promise((resolve) => {
    let answer = false;
    const node = dialog(
      text,
      [],
      [
        button(t("cancel"), () => node.close(), { kind: "plain" }),
        button(
          yes,
          () => {
            answer = true;
            node.close();
          },
          { kind: "main", key: "yes" },
        ),
      ],
      { onclose: () => resolve(answer) },
    );
    $("[data-key=yes]", node).focus();
  });
}

export class Keys {
  #actions = new Map();

  constructor() {
    this.add("?", "keys.title", () => this.show());
    document.addEventListener("keydown", (event) => this.#press(event));
  }

  /** `key` as it is written on the key cap: `u`, `1`, `Space`, `ArrowLeft`. `what` is a key of the words. */
  add(key, what, action) {
    this.#actions.set(key, { what, action });
  }

  #press(event) {
    const typing = event.target.closest?.("input, select, textarea, [contenteditable]");
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      (typing && event.target.type !== "radio" && event.target.type !== "checkbox")
    )
      return;
    if ($("dialog[open]")) return;
    // By the key's place where the layout has no Latin letters, so that the list holds for Russian keyboards too.
    const letter = /^Key([A-Z])$/.exec(event.code ?? "")?.[1].toLowerCase();
    const name =
      event.key === " "
        ? "Space"
        : event.key.length === 1
          ? /^[a-zа-яё]$/i.test(event.key) && letter
            ? letter
            : event.key.toLowerCase()
          : event.key;
    if (name === "Space" && event.target.closest?.("button, a, summary")) return;
    const found = this.#actions.get(name);
    if (!found) return;
    event.preventDefault();
    found.action();
  }

  show() {
    const rows = [...this.#actions].flatMap(([key, { what }]) => [
      h("div", null, h("kbd", null, key)),
      h("div", null, t(what)),
    ]);
    dialog(t("keys.title"), [h("p", { class: "faint" }, t("keys.hint")), h("div", { class: "keys" }, rows)]);
  }
}
