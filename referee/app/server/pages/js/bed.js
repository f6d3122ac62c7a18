// The table itself, drawn from its documented sizes in mm: rails, cushions with their jaws, pockets, markings.

import { s } from "./dom.js";

export const RAIL_MM = 150;
const CUSHION_MM = 50;

/** `at` turns table coordinates (mm) into those of the drawing. */
export function drawBed(table, at) {
  const { width, length } = table;
  const corner = (table.corner_mouth || 90) / Math.SQRT2;
  const middle = (table.middle_mouth || 105) / 2;
  const path = (points) =>
    points
      .map(
        (point, i) =>
          `${i ? "L" : "M"}${at(point)
            .map((v) => v.toFixed(1))
            .join(" ")}`,
      )
      .join("");
  const area = (x0, y0, x1, y1) => {
    const [a, b] = [at([x0, y0]), at([x1, y1])];
    return {
      x: Math.min(a[0], b[0]),
      y: Math.min(a[1], b[1]),
      width: Math.abs(a[0] - b[0]),
      height: Math.abs(a[1] - b[1]),
    };
  };
  const parts = [
    s("rect", { ...area(-RAIL_MM, -RAIL_MM, width + RAIL_MM, length + RAIL_MM), rx: 62, class: "rail" }),
    s("rect", {
      ...area(-RAIL_MM + 14, -RAIL_MM + 14, width + RAIL_MM - 14, length + RAIL_MM - 14),
      rx: 50,
      class: "rail-edge",
    }),
    s("rect", {
      ...area(-CUSHION_MM - 4, -CUSHION_MM - 4, width + CUSHION_MM + 4, length + CUSHION_MM + 4),
      rx: 10,
      class: "gutter",
    }),
    s("rect", { ...area(0, 0, width, length), class: "cloth" }),
    s("rect", { ...area(0, 0, width, length), class: "lamp" }),
  ];
  for (const [x, y, isMiddle] of pocketPlaces(table)) {
    const [px, py] = at([x, y]);
    parts.push(
      s("circle", {
        cx: px,
        cy: py,
        r: (isMiddle ? 0.62 * table.middle_mouth : 0.72 * table.corner_mouth) || 60,
        class: "pocket",
      }),
    );
  }
  // Each cushion runs between two jaws; its back is shorter or longer by the jaw's slant.
  const slant = CUSHION_MM * 0.62;
  const cushion = (nose0, nose1, out, along) => {
    const back = (point, sign, isCorner) => [
      point[0] + out[0] * CUSHION_MM + along[0] * sign * slant * (isCorner ? -1 : 0.45),
      point[1] + out[1] * CUSHION_MM + along[1] * sign * slant * (isCorner ? -1 : 0.45),
    ];
    const corners = [nose0.corner, nose1.corner];
    parts.push(
      s("path", {
        d: `${path([nose0.at, nose1.at, back(nose1.at, 1, corners[1] ? true : false), back(nose0.at, -1, corners[0] ? true : false)])}Z`,
        class: "cushion",
      }),
    );
  };
  const end = (point, isCorner) => ({ at: point, corner: isCorner });
  for (const [x, out] of [
    [0, [-1, 0]],
    [width, [1, 0]],
  ]) {
    cushion(end([x, corner], true), end([x, length / 2 - middle], false), out, [0, 1]);
    cushion(end([x, length / 2 + middle], false), end([x, length - corner], true), out, [0, 1]);
  }
  for (const [y, out] of [
    [0, [0, -1]],
    [length, [0, 1]],
  ]) {
    cushion(end([corner, y], true), end([width - corner, y], true), out, [1, 0]);
  }
  return [...parts, ...sights(table, at), ...markings(table, at)];
}

/** [x, y, whether in the middle of a side] of the pockets' holes, a little outside the nose lines. */
function pocketPlaces(table) {
  const { width, length } = table;
  const off = 0.22 * (table.corner_mouth || 90);
  const side = 0.42 * (table.middle_mouth || 105);
  return [
    [-off, -off, false],
    [width + off, -off, false],
    [-side, length / 2, true],
    [width + side, length / 2, true],
    [-off, length + off, false],
    [width + off, length + off, false],
  ];
}

export const POCKETS = ["bottom-left", "bottom-right", "middle-left", "middle-right", "top-left", "top-right"];

export const pocketPlace = (table, name) => pocketPlaces(table)[POCKETS.indexOf(name)].slice(0, 2);

function sights(table, at) {
  if (table.family === "snooker") return [];
  const { width, length } = table;
  const off = (RAIL_MM + CUSHION_MM) / 2;
  const places = [];
  for (let i = 1; i < 8; i += 1) {
    if (i !== 4) places.push([-off, (length * i) / 8], [width + off, (length * i) / 8]);
  }
  for (let i = 1; i < 4; i += 1) places.push([(width * i) / 4, -off], [(width * i) / 4, length + off]);
  return places.map((place) => {
    const [x, y] = at(place);
    return s("circle", { cx: x, cy: y, r: 11, class: "sight" });
  });
}

function markings(table, at) {
  const parts = [];
  const line = (from, to, kind = "mark") => {
    const [a, b] = [at(from), at(to)];
    parts.push(s("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1], class: kind }));
  };
  const { width, length, baulk_line_y: baulk, d_radius: radius } = table;
  if (baulk && radius) {
    line([0, baulk], [width, baulk]);
    const [a, b] = [at([width / 2 + radius, baulk]), at([width / 2 - radius, baulk])];
    const low = at([width / 2, baulk - radius]);
    const turn = (b[0] - a[0]) * (low[1] - a[1]) - (b[1] - a[1]) * (low[0] - a[0]) > 0 ? 0 : 1;
    parts.push(s("path", { d: `M${a.join(" ")}A${radius} ${radius} 0 0 ${turn} ${b.join(" ")}`, class: "mark" }));
  } else {
    line([0, length / 4], [width, length / 4], "mark faded");
  }
  for (const place of Object.values(table.spots ?? {})) {
    const [x, y] = at(place);
    parts.push(s("circle", { cx: x, cy: y, r: 9, class: "spot" }));
  }
  return parts;
}
