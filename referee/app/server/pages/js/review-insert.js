// A shot that was not seen, entered at the time that is shown: what was hit, what fell, what came of it.

import { editShot } from "./record-editor.js";
import { t } from "./words.js";

const LASTING_S = 2;

/** Opens the record editor for a new shot; its balls are those that are drawn now. */
export function insertShot(view) {
  const t0 = view.time();
  const before = Object.fromEntries(
    Object.entries(view.balls())
      .filter(([, ball]) => Number.isFinite(ball.x) && Number.isFinite(ball.y))
      .map(([name, ball]) => [name, [ball.x, ball.y]]),
  );
  const t1 = Math.min(t0 + LASTING_S, ...view.shots.map((each) => each.t0).filter((each) => each > t0));
  const events = [
    { t: t0, kind: "strike", ball: "cue" },
    { t: t1, kind: "rest" },
  ];
  const record = { type: "shot", t0, t1, before, after: null, events, observed: [] };
  const body = (edited) => ({ record: { ...edited, t1: Math.max(edited.t1, ...edited.events.map((each) => each.t)) } });
  return editShot(t("review.insert_new"), null, {
    load: async () => record,
    preview: (_, edited) => view.review.preview("insert", body(edited)),
    accept: async (_, edited, preview) => {
      await view.review.accept("insert", body(edited), preview);
      view.refresh();
    },
  });
}
