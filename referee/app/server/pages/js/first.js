// Runs before anything is drawn, so that a page never flashes in the wrong colours.
(function () {
  const asked = new URLSearchParams(location.search);
  const root = document.documentElement;
  let theme = asked.get("theme");
  try {
    theme = theme || localStorage.getItem("cueref.theme");
  } catch {
    // Storage may be switched off; then the system's colours hold.
  }
  if (theme !== "light" && theme !== "dark") {
    theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }
  root.dataset.theme = theme;
  if (asked.get("overlay") === "1") root.classList.add("overlay");
})();
