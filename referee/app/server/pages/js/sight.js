// What the cue ball can reach in a straight line: for drawing only. Whether a player is snookered is the rules' word.

const RAYS = 121;

/**
 * The straight ways of the cue ball to one ball, all in mm: `edges` are the two outermost (the balls just touch), `free`
 * the share of the ways between them that no other ball blocks, `blocked` the places where the cue ball is stopped.
 * "full" hit: the whole of the object ball can be struck; "part", "none".
 */
export function waysTo(cue, target, others, diameter) {
  const [dx, dy] = [target[0] - cue[0], target[1] - cue[1]];
  const distance = Math.hypot(dx, dy);
  if (distance <= diameter) return { edges: [], rays: [], free: 1, sees: "full" };
  const spread = Math.asin(diameter / distance);
  const middle = Math.atan2(dy, dx);
  const rays = [];
  for (let i = 0; i < RAYS; i += 1) {
    const angle = middle + spread * ((2 * i) / (RAYS - 1) - 1) * 0.9999;
    const direction = [Math.cos(angle), Math.sin(angle)];
    const reach = meets(cue, direction, target, diameter);
    let stop = reach;
    let by = null;
    for (const [name, place] of others) {
      const at = meets(cue, direction, place, diameter);
      if (at !== null && at < stop) [stop, by] = [at, name];
    }
    rays.push({ end: [cue[0] + direction[0] * stop, cue[1] + direction[1] * stop], by });
  }
  const free = rays.filter((ray) => ray.by === null).length;
  return {
    rays,
    edges: [rays[0], rays.at(-1)],
    free: free / RAYS,
    sees: free === RAYS ? "full" : free ? "part" : "none",
  };
}

/** How far a ball's centre runs from `from` along a unit `direction` until it touches a ball at `place`; null: never. */
function meets(from, direction, place, diameter) {
  const [dx, dy] = [place[0] - from[0], place[1] - from[1]];
  const along = dx * direction[0] + dy * direction[1];
  const aside = dx * direction[1] - dy * direction[0];
  if (along <= 0 || Math.abs(aside) > diameter) return null;
  return Math.max(0, along - Math.sqrt(diameter * diameter - aside * aside));
}

/** The names of the balls that `on` means, of those on the table. */
export function ballsOn(on, names, freeBall = false) {
  const rest = names.filter((name) => name !== "cue");
  if (freeBall) return rest;
  const is = {
    red: (name) => name === "red" || name.startsWith("red-"),
    colour: (name) => ["yellow", "green", "brown", "blue", "pink", "black"].includes(name),
    solids: (name) => (/^\d+$/.test(name) && Number(name) < 8) || name.startsWith("solid-"),
    stripes: (name) => (/^\d+$/.test(name) && Number(name) > 8) || name.startsWith("stripe-"),
    any: () => true,
  };
  return rest.filter((name) => (on ?? []).some((each) => (is[each] ? is[each](name) : each === name)));
}
