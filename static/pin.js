// Before the first paint: controls that need a script may show, the chosen theme holds, and a table,
// which is laid out by its widest cell, is waited for whole.
(() => {
  const root = document.documentElement;
  root.className = "js";
  let theme = new URLSearchParams(location.search).get("__theme");
  try { theme = localStorage.getItem("theme") || theme; } catch { /* storage may be forbidden */ }
  const wait = document.createElement("link");
  wait.rel = "expect";
  wait.href = "#end";
  wait.setAttribute("blocking", "render");
  document.head.append(wait);
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
})();
