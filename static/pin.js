// Before the first paint: controls that need a script may show, and the chosen theme holds. In a frame
// the outer page names its theme in the first address only, so it is kept for the session.
(() => {
  const root = document.documentElement;
  const query = new URLSearchParams(location.search);
  root.className = "js";
  let theme = query.get("__theme");
  try {
    if (theme && parent !== window) sessionStorage.setItem("theme", theme);
    theme = localStorage.getItem("theme") || sessionStorage.getItem("theme") || theme;
  } catch { /* storage may be forbidden */ }
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;

  // On a phone the chart stands below the table. Painting waits for the whole page, or the chart would
  // first show above the table and then move.
  const wait = document.createElement("link");
  wait.rel = "expect";
  wait.href = "#end";
  wait.setAttribute("blocking", "render");
  document.head.append(wait);
  addEventListener("DOMContentLoaded", () => wait.remove());

  // `index.html?go=m/<slug>` opens that page: a Space keeps one address for all pages.
  const go = query.get("go");
  const pages = /^(?:(?:m|p|packs|runs)\/[a-z0-9][a-z0-9._-]*|(?:index|judge)-\d+|compare|prompts|method|submit|trends|changes|verify|data)$/;
  if (go && root.dataset.here === "index.html" && pages.test(go)) {
    for (const key of ["go", "__theme", "__sign"]) query.delete(key);
    const rest = query.toString();
    location.replace(go + ".html" + (rest ? "?" + rest : "") + location.hash);
  }
})();
