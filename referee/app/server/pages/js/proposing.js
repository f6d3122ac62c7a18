// What a change would do, verdict by verdict, before it is accepted.

import { attempt, post } from "./api.js";
import { button, h } from "./dom.js";
import { differenceTable } from "./differences.js";
import { dialog } from "./keys.js";
import { lang, t } from "./words.js";

/** The running match, asked and changed like a review. Refused where something else was entered meanwhile. */
export const running = (page) => ({
  preview: async (what, body) => {
    const after = page.line.seq;
    return { after, ...(await post(`/api/${what}`, { ...body, after, preview: true })) };
  },
  accept: (what, body, preview) => post(`/api/${what}`, { ...body, after: preview.after }),
});

/** Shows what a change would do, and does it when that is accepted. */
export async function propose(review, what, body, title, done) {
  await attempt(async () => {
    const preview = await review.preview(what, body);
    const node = dialog(
      title,
      [
        differenceTable(preview),
        ...(preview.refused ?? []).map((each) =>
          h(
            "p",
            { class: "note bad" },
            typeof each === "string" ? each : (each.text?.[lang()] ?? each.text?.en) || each.reason || JSON.stringify(each),
          ),
        ),
      ],
      [
        button(t("cancel"), () => node.close(), { kind: "plain" }),
        button(
          t("editor.accept"),
          async () => {
            if (await attempt(() => review.accept(what, body, preview), t("editor.accepted"))) {
              node.close();
              done();
            }
          },
          { key: "accept-change", kind: "main" },
        ),
      ],
      { wide: true },
    );
    node.classList.add("wide");
  });
}
