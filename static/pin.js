// Before the first paint: controls that need a script may show, the chosen theme holds, a table,
// which is laid out by its widest cell, is waited for whole, and the rows far below wait.
(() => {
  const root = document.documentElement;
  root.className = "js";
  const state = new URLSearchParams(location.search);
  let theme = state.get("__theme");
  try { theme = localStorage.getItem("theme") || theme; } catch { /* storage may be forbidden */ }
  const wait = document.createElement("link");
  wait.rel = "expect";
  wait.href = "#end";
  wait.setAttribute("blocking", "render");
  document.head.append(wait);
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;

  // Rows marked as later come when the reader does anything, or a second after the page; at once
  // where the address or the way back asks for a place or an order.
  const come = () => root.classList.add("whole");
  state.delete("__theme");
  const visit = performance.getEntriesByType("navigation")[0];
  const place = location.hash || (visit && visit.name.includes(":~:")); // a link to a text shows no hash
  if (place || state.toString() || !visit || visit.type !== "navigate") come();
  for (const act of ["scroll", "wheel", "pointerdown", "touchstart", "keydown", "focusin"]) {
    addEventListener(act, come, { once: true, passive: true });
  }
  addEventListener("load", () => setTimeout(come, 1000));
})();
