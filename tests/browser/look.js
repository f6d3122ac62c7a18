// What is wrong with how a page looks: a list of texts. Run in the page by the tests.
() => {
  const out = [];
  const seen = (node) => {
    const box = node.getBoundingClientRect();
    const style = getComputedStyle(node);
    return (
      box.width > 1 &&
      box.height > 1 &&
      style.visibility !== "hidden" &&
      node.checkVisibility() &&
      !node.closest(".sr, .skip, .defs")
    );
  };
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth + 1) {
    const wide = [...document.querySelectorAll("body *")].filter(
      (node) => !node.closest("svg") && node.getBoundingClientRect().right > innerWidth + 1,
    );
    out.push(
      `wider than the screen by ${root.scrollWidth - innerWidth} px: ${wide
        .slice(0, 3)
        .map((node) => node.outerHTML.slice(0, 80))
        .join(" ")}`,
    );
  }
  for (const node of document.querySelectorAll(
    "button, a.button, a.door, summary, select, input:not([type=checkbox], [type=radio])",
  )) {
    if (!seen(node)) continue;
    const box = node.getBoundingClientRect();
    if (box.height < 47.5 || box.width < 47.5)
      out.push(`too small to touch: ${node.outerHTML.slice(0, 90)} ${box.width}x${box.height}`);
    const name = node.getAttribute("aria-label") || node.innerText || node.labels?.[0]?.innerText;
    if (!name?.trim()) out.push(`without a name: ${node.outerHTML.slice(0, 90)}`);
    if (node.scrollWidth > node.clientWidth + 2 && node.tagName !== "SELECT" && node.tagName !== "INPUT")
      out.push(`text too long: ${node.innerText}`);
  }
  const links = document.querySelector(".bar nav");
  if (links && links.scrollWidth > links.clientWidth + 1) out.push("the pages' links are wider than the screen");
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].map((v, i) => (i === 3 ? v / 255 : v));
  };
  const over = (top, below) => top.slice(0, 3).map((v, i) => v * top[3] + below[i] * (1 - top[3]));
  const light = (colour) => {
    const [r, g, b] = colour.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (node) => {
    const layers = [];
    for (let each = node; each; each = each.parentElement) {
      const colour = rgba(getComputedStyle(each).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const clips = (node) => {
    for (let each = node; each; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (style.overflowX === "auto" || style.textOverflow === "ellipsis") return null;
      if (["hidden", "clip"].includes(style.overflowX)) return each;
    }
    return null;
  };
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const node = text.parentElement;
    if (!text.data.trim() || !seen(node) || node.closest("svg, :disabled, option, script, noscript")) continue;
    range.selectNodeContents(text);
    const [own, pane] = [range.getBoundingClientRect(), clips(node)?.getBoundingClientRect()];
    if (pane && (own.right > pane.right + 2 || own.left < pane.left - 2)) out.push(`cut off: ${text.data.trim()}`);
    if (/^[a-z_]+(\.[a-z0-9_-]+)+$/.test(text.data.trim())) out.push(`a text is lacking: ${text.data}`);
    const ground = behind(node);
    const [a, b] = [light(over(rgba(getComputedStyle(node).color), ground)), light(ground)].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) out.push(`contrast ${contrast.toFixed(2)}: ${text.data.trim().slice(0, 40)}`);
  }
  return out;
};
