// What the camera sees of the table now, and since when it doesn't.

const OLD_MS = 2500;
const LOOK_MS = 500;

/** Keeps the newest sighting of a line; tells `onchange` when sightings begin, cease, or a stroke begins or ends. */
export class Sighting {
  constructor(line, onsee, onchange) {
    this.line = line;
    this.balls = null;
    this.running = false;
    this.fresh = false;
    this.at = 0;
    line.addEventListener("table", ({ detail }) => {
      this.balls = detail.balls;
      this.at = Date.now();
      const changed = !this.fresh || this.running !== Boolean(detail.running);
      this.fresh = detail.view !== false;
      this.running = Boolean(detail.running);
      if (this.fresh) onsee(this.balls);
      if (changed) onchange();
    });
    setInterval(() => {
      if (!this.fresh || (line.status === "live" && Date.now() - this.at < OLD_MS)) return;
      this.fresh = false;
      this.running = false;
      onchange();
    }, LOOK_MS);
  }
}
