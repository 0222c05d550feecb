// Before the first paint: controls that need a script may show, and the chosen theme holds.
(() => {
  const root = document.documentElement;
  root.className = "js";
  let theme = new URLSearchParams(location.search).get("__theme");
  try { theme = localStorage.getItem("theme") || theme; } catch { /* storage may be forbidden */ }
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
})();
