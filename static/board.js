// Sort, filter, pick, compare, copy, theme. The page is complete without any of it.
(() => {
  "use strict";
  const one = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const root = document.documentElement;
  const state = new URLSearchParams(location.search);
  for (const done of all("link[rel=expect]")) done.remove();

  // The address mirrors what is shown; in a Space the outer page's address does too.
  const outer = (location.ancestorOrigins && location.ancestorOrigins[0]) || document.referrer || "";
  function remember(key, value) {
    if (value) state.set(key, value); else state.delete(key);
    const query = state.toString();
    try { history.replaceState(null, "", (query ? "?" + query : location.pathname) + location.hash); } catch { /* from disk */ }
    if (parent !== window && outer.startsWith("https://huggingface.co")) {
      parent.postMessage({ queryString: query, hash: location.hash }, "https://huggingface.co");
    }
  }

  // Theme
  const themes = ["system", "light", "dark"];
  const button = one("#theme");
  const say = () => { button.textContent = "Theme: " + (root.dataset.theme || "system"); };
  button.addEventListener("click", () => {
    const next = themes[(themes.indexOf(root.dataset.theme || "system") + 1) % 3];
    if (next === "system") delete root.dataset.theme; else root.dataset.theme = next;
    try { if (next === "system") localStorage.removeItem("theme"); else localStorage.setItem("theme", next); } catch { /* not kept */ }
    say();
  });
  say();

  // Copy
  for (const pre of all("pre[data-copy]")) {
    const copy = document.createElement("button");
    const text = pre.textContent;
    copy.type = "button";
    copy.textContent = "Copy";
    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text);
        copy.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(pre);
        copy.textContent = "Selected";
      }
      setTimeout(() => { copy.textContent = "Copy"; }, 2000);
    });
    pre.append(copy);
  }

  const tables = all("table.board");
  if (tables.length) board(tables);
  const compare = one("#compare");
  if (compare) comparison(compare);

  // One or several tables with the same columns: each is sorted by itself, because rows of two
  // tables do not compare; the filters are for all of them.
  function board(tables) {
    const elsewhere = tables[0].dataset.all;
    const parts = tables.map((table) => {
      const bodies = [...table.tBodies];
      const rows = all("tbody tr:not(.group)", table).filter((row) => row.cells.length > 1);
      const homes = new Map(bodies.map((body) => [body, rows.filter((row) => row.parentNode === body)]));
      const title = one("#" + table.id + "-head");
      return { table, bodies, rows, homes, title, heads: all("thead th", table), flat: document.createElement("tbody") };
    });
    const rows = parts.flatMap((part) => part.rows);
    const count = one("#count");
    const form = one(".filters");
    const total = rows.length;

    // What a cell is worth: its first text as a number; missing values are null and sort last.
    function worth(row, column, name) {
      const cell = row.cells[column];
      if (name === "model") return one("a", cell).textContent.toLowerCase();
      const text = cell.firstChild ? cell.firstChild.textContent.replace("−", "-").replace("(", "").trim() : "";
      const number = parseFloat(text);
      if (Number.isNaN(number)) return null;
      return number * ({ k: 1e3, M: 1e6 }[text.slice(-1)] || 1);
    }

    function sort(name, direction) {
      for (const part of parts) sortOne(part, name, direction);
    }

    function sortOne({ table, bodies, rows, homes, heads, flat }, name, direction) {
      const column = heads.findIndex((head) => head.dataset.sort === name);
      for (const head of heads) head.removeAttribute("aria-sort");
      if (column < 0 || (name === "rank" && direction === "asc")) {
        if (heads[0]) heads[0].setAttribute("aria-sort", "ascending");
        if (flat.isConnected) {
          flat.remove();
          for (const body of bodies) table.append(body);
          const order = new Map(rows.map((row, at) => [row, at]));
          for (const body of bodies) body.append(...homes.get(body).sort((a, b) => order.get(a) - order.get(b)));
        }
        return;
      }
      heads[column].setAttribute("aria-sort", direction === "asc" ? "ascending" : "descending");
      const sign = direction === "asc" ? 1 : -1;
      const keyed = rows.map((row, at) => [worth(row, column, name), at, row]);
      keyed.sort((a, b) => {
        if (a[0] === null || b[0] === null) return (a[0] === null) - (b[0] === null) || a[1] - b[1];
        return (a[0] < b[0] ? -sign : a[0] > b[0] ? sign : 0) || a[1] - b[1];
      });
      for (const body of bodies) body.remove();
      flat.replaceChildren(...keyed.map((key) => key[2]));
      table.append(flat);
    }

    // One page of many cannot say who is first of all: there a header leads to the page with all
    // rows, and a column which that lacks is not sorted.
    const lean = ["model", "held-out", "public", "gap", "delta"];
    for (const head of parts.flatMap((part) => part.heads).filter((head) => head.dataset.sort)) {
      const name = head.dataset.sort;
      if (elsewhere && name !== "rank" && !lean.includes(name)) continue;
      const sorter = document.createElement("button");
      sorter.type = "button";
      sorter.append(...head.childNodes);
      head.append(sorter);
      sorter.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        // First the direction a reader wants: best or smallest first.
        const first = ["rank", "model", "tokens", "gap"].includes(name) ? "asc" : "desc";
        const next = now ? (now === "ascending" ? "desc" : "asc") : first;
        if (elsewhere && name !== "rank") {
          location.href = elsewhere + "?sort=" + name + "&dir=" + next;
          return;
        }
        sort(name, next);
        remember("sort", name === "rank" && next === "asc" ? "" : name);
        remember("dir", name === "rank" && next === "asc" ? "" : next);
      });
    }

    const fields = form ? all("input[name], select[name]", form) : [];
    function filter() {
      const words = (one("#q") ? one("#q").value : "").toLowerCase().split(/\s+/).filter(Boolean);
      const exact = fields.filter((field) => field.name !== "q" && field.value);
      let shown = 0;
      for (const part of parts) {
        let left = 0;
        for (const row of part.rows) {
          const text = words.length ? row.cells[1].textContent.toLowerCase() : "";
          const match = words.every((word) => text.includes(word)) && exact.every((field) => row.dataset[field.name] === field.value);
          if (row.hidden === match) row.hidden = !match;
          left += match;
        }
        for (const body of part.bodies) {
          const label = one(".group", body);
          if (label) label.hidden = !part.homes.get(body).some((row) => !row.hidden);
        }
        if (part.title) part.title.hidden = part.table.hidden = !left;
        shown += left;
      }
      if (count && !elsewhere) count.textContent = (shown === total ? "" : shown + " of ") + total + (total === 1 ? " model" : " models");
    }
    if (form && !elsewhere) {
      form.addEventListener("input", (event) => {
        filter();
        if (event.target.name) remember(event.target.name, event.target.value);
      });
      for (const field of fields) if (state.has(field.name)) field.value = state.get(field.name);
      if (fields.some((field) => field.value)) filter();
    }

    // Picking rows to compare
    const pick = one("#pick");
    if (pick) {
      const slug = (row) => one("th a", row).getAttribute("href").slice(2, -5);
      const picked = new Set((state.get("pick") || "").split(",").filter(Boolean));
      const link = document.createElement("a");
      link.className = "picked";
      link.href = "compare.html";
      link.hidden = true;
      pick.after(link);
      const show = () => {
        link.hidden = picked.size < 2;
        link.textContent = "Compare " + picked.size;
        link.href = "compare.html?pick=" + [...picked].map(encodeURIComponent).join(",");
      };
      const start = () => {
        pick.hidden = true;
        for (const row of rows) {
          const box = document.createElement("input");
          const name = slug(row);
          box.type = "checkbox";
          box.checked = picked.has(name);
          box.setAttribute("aria-label", "Pick " + one("th a", row).textContent);
          box.addEventListener("change", () => {
            if (box.checked && picked.size < 4) picked.add(name);
            else { picked.delete(name); box.checked = false; }
            remember("pick", [...picked].join(","));
            show();
          });
          row.cells[1].prepend(box);
        }
        show();
      };
      pick.addEventListener("click", () => { start(); one(".board tbody input").focus(); });
      show();
      if (picked.size) start();
    }

    if (!elsewhere) sort(state.get("sort") || "rank", state.get("dir") === "desc" ? "desc" : "asc");
  }

  function comparison(table) {
    const slugs = all("thead [data-pick]", table).map((head) => head.dataset.pick);
    const selects = all("#picks select");
    const wanted = (state.get("pick") || "").split(",").filter(Boolean);
    const known = wanted.filter((slug) => slugs.includes(slug)).slice(0, 4);
    const unknown = wanted.filter((slug) => !slugs.includes(slug));
    if (unknown.length) one("#unknown").textContent = "Not in this table: " + unknown.join(", ");
    const room = matchMedia("(max-width: 42rem)").matches ? 2 : 4;
    const first = wanted.length ? known : slugs.slice(0, room);
    selects.forEach((select, at) => { select.value = first[at] || ""; });
    function show() {
      const picked = selects.map((select) => select.value).filter(Boolean);
      for (const row of table.rows) {
        for (let at = 1; at < row.cells.length; at++) row.cells[at].hidden = picked.length > 0 && !picked.includes(slugs[at - 1]);
      }
      for (const row of all("#pairs tbody tr")) {
        row.hidden = picked.length > 1 && !(picked.includes(row.dataset.a) && picked.includes(row.dataset.b));
      }
    }
    for (const select of selects) {
      select.addEventListener("change", () => {
        show();
        remember("pick", [...new Set(selects.map((each) => each.value).filter(Boolean))].join(","));
      });
    }
    show();
    table.classList.add("picked-from");
  }
})();
