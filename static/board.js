// Sort, filter, pick, compare, copy, theme. The page is complete without any of it.
(() => {
  "use strict";
  const one = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const root = document.documentElement;
  const state = new URLSearchParams(location.search);

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
  const say = () => {
    const words = "Theme: " + (root.dataset.theme || "system");
    button.title = words;
    button.setAttribute("aria-label", words);
  };
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

  // The address of what is shown.
  const address = () => location.href;

  const table = one("#board");
  const hits = one("#hits");
  if (table) board(table);
  if (hits) searchAll(hits);
  const compare = one("#compare");
  if (compare) comparison(compare);

  function board(table) {
    const bodies = [...table.tBodies];
    const rows = all("tbody tr[data-slug]", table);
    const waiting = one("tbody.waiting", table);
    const heads = all("thead th", table);
    const key = (head) => head.className.match(/c-([\w-]+)/)[1];
    const home = new Map(rows.map((row, at) => [row, { at, body: row.parentNode }]));
    const flat = document.createElement("tbody");

    // Sort by the values in the cells, never by their text. Rows that wait stay last.
    function worth(row, name) {
      const cell = one(".c-" + name, row);
      if (name === "name") return one("a", cell).textContent.toLowerCase();
      return cell.dataset.v ? Number(cell.dataset.v) : null;
    }
    function sort(name, direction) {
      const head = heads.find((each) => key(each) === name && each.dataset.first);
      const isDefault = !head || (name === "score" && direction === "desc");
      for (const each of heads) each.removeAttribute("aria-sort");
      const shown = isDefault ? heads.find((each) => key(each) === "score") : head;
      shown.setAttribute("aria-sort", isDefault || direction === "desc" ? "descending" : "ascending");
      if (isDefault) {
        flat.remove();
        for (const body of bodies) table.append(body);
        for (const row of rows) home.get(row).body.append(row);
        return;
      }
      const sign = direction === "asc" ? 1 : -1;
      const ordered = (list) => list.map((row) => [worth(row, name), home.get(row).at, row]).sort((a, b) => {
        if (a[0] === null || b[0] === null) return (a[0] === null) - (b[0] === null) || a[1] - b[1];
        return (a[0] < b[0] ? -sign : a[0] > b[0] ? sign : 0) || a[1] - b[1];
      }).map((keyed) => keyed[2]);
      for (const body of bodies) body.remove();
      const waits = (row) => home.get(row).body === waiting;
      flat.replaceChildren(...ordered(rows.filter((row) => !waits(row))));
      table.append(flat);
      if (waiting) {
        table.append(waiting);
        waiting.append(...ordered(rows.filter(waits)));
      }
      // A bar keeps the color of its group, because that is in its own class.
    }
    for (const head of heads.filter((each) => each.dataset.first)) {
      const sorter = document.createElement("button");
      sorter.type = "button";
      sorter.append(...head.childNodes);
      head.append(sorter);
      sorter.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        const next = now ? (now === "ascending" ? "desc" : "asc") : head.dataset.first;
        const isDefault = key(head) === "score" && next === "desc";
        sort(key(head), next);
        remember("sort", isDefault ? "" : key(head));
        remember("dir", isDefault ? "" : next);
      });
    }

    // Filters: a search, switches and choices.
    const tools = one("#tools");
    const search = one("#q");
    const switches = tools ? all("button[data-key]", tools) : [];
    const choices = tools ? all("select[data-key]", tools) : [];
    const none = one("#none");
    const found = one("#found");
    function filter() {
      const words = (search && !hits ? search.value : "").toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const text = words.length ? one(".c-name", row).textContent.toLowerCase() : "";
        const match = words.every((word) => text.includes(word))
          && switches.every((each) => each.getAttribute("aria-pressed") !== "true" || row.dataset[each.dataset.key])
          && choices.every((each) => !each.value || row.dataset[each.dataset.key] === each.value);
        row.hidden = !match;
        shown += match;
      }
      for (const body of bodies) {
        const section = one(".section", body);
        if (section) section.hidden = !rows.some((row) => home.get(row).body === body && !row.hidden);
      }
      none.hidden = shown > 0;
      if (found) found.textContent = shown === rows.length ? "" : shown + " of " + rows.length + " models";
      for (const each of choices) each.classList.toggle("on", Boolean(each.value));
    }
    if (tools) {
      search.value = state.get("q") || "";
      search.addEventListener("input", () => { filter(); remember("q", search.value); });
      for (const each of switches) {
        each.setAttribute("aria-pressed", String(state.get(each.dataset.key) === "1"));
        each.addEventListener("click", () => {
          const on = each.getAttribute("aria-pressed") !== "true";
          each.setAttribute("aria-pressed", String(on));
          filter();
          remember(each.dataset.key, on ? "1" : "");
        });
      }
      for (const each of choices) {
        each.value = state.get(each.dataset.key) || "";
        each.addEventListener("change", () => { filter(); remember(each.dataset.key, each.value); });
      }
      one("#clear").addEventListener("click", () => {
        search.value = "";
        remember("q", "");
        for (const each of switches) { each.setAttribute("aria-pressed", "false"); remember(each.dataset.key, ""); }
        for (const each of choices) { each.value = ""; remember(each.dataset.key, ""); }
        filter();
        search.focus();
      });
      filter();

      // Columns
      const boxes = all(".menu input", tools);
      const note = one(".more-note");
      const showColumns = () => {
        const on = boxes.filter((box) => box.checked).map((box) => box.value);
        for (const box of boxes) for (const cell of all(".c-" + box.value, table)) cell.hidden = !box.checked;
        table.classList.toggle("wide", on.length > 0);
        if (note) note.hidden = !on.includes("delta");
        for (const section of all(".section th", table)) section.colSpan = 7 + on.length;
        return on;
      };
      const wanted = (state.get("columns") || "").split(",");
      for (const box of boxes) {
        box.checked = wanted.includes(box.value);
        box.addEventListener("change", () => remember("columns", showColumns().join(",")));
      }
      if (boxes.some((box) => box.checked)) showColumns();
      const menu = one(".menu", tools);
      document.addEventListener("click", (event) => { if (!menu.contains(event.target)) menu.open = false; });
      menu.addEventListener("keydown", (event) => { if (event.key === "Escape") { menu.open = false; one("summary", menu).focus(); } });

      // CSV of the rows and columns that are shown, in their order.
      one("#csv").addEventListener("click", (event) => {
        const columns = heads.filter((head) => !head.hidden && key(head) !== "range");
        const quote = (text) => {
          const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? "'" + text : text;
          return /[",\n]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
        };
        const value = (row, name) => {
          const cell = one(".c-" + name, row);
          if (name === "name") return one("a", cell).textContent;
          if (cell.dataset.v !== undefined) return cell.dataset.v;
          return cell.textContent === "–" ? "" : cell.textContent.trim();
        };
        const lines = [["slug", ...columns.map(key)].join(",")];
        for (const row of all("tbody tr[data-slug]", table)) {
          if (!row.hidden) lines.push([row.dataset.slug, ...columns.map((head) => value(row, key(head)))].map(quote).join(","));
        }
        const file = new Blob([lines.join("\n") + "\n"], { type: "text/csv" });
        const link = event.currentTarget;
        const whole = link.getAttribute("href");
        link.href = URL.createObjectURL(file);
        setTimeout(() => { URL.revokeObjectURL(link.href); link.href = whole; }, 1000);
      });
      const copy = one("#copy-link");
      copy.addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(address());
          copy.textContent = "Copied";
        } catch {
          copy.textContent = "Copy it from the address bar";
        }
        setTimeout(() => { copy.textContent = "Copy link"; }, 2000);
      });
    }

    // A point and its row light each other.
    const points = new Map(all(".plot a[data-slug]").map((point) => [point.dataset.slug, point]));
    const light = (slug, on) => {
      const row = rows.find((each) => each.dataset.slug === slug);
      if (row) row.classList.toggle("lit", on);
      if (points.has(slug)) points.get(slug).classList.toggle("lit", on);
    };
    for (const each of [...points.values(), ...rows]) {
      for (const [event, on] of [["mouseenter", true], ["mouseleave", false], ["focusin", true], ["focusout", false]]) {
        each.addEventListener(event, () => light(each.dataset.slug, on));
      }
    }

    if (state.has("sort")) sort(state.get("sort"), state.get("dir") === "asc" ? "asc" : "desc");
  }

  // A board of several pages: one search over all names.
  function searchAll(list) {
    const names = JSON.parse(list.dataset.names);
    const search = one("#q");
    const found = one("#found");
    const show = () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      const match = ([name, organization]) => words.every((word) => (name + " " + organization).toLowerCase().includes(word));
      const some = words.length ? names.filter(match) : [];
      list.replaceChildren(...some.slice(0, 60).map(([name, organization, slug, score]) => {
        const item = document.createElement("li");
        const link = document.createElement("a");
        link.href = "m/" + slug + ".html";
        link.textContent = name;
        item.append(link, " " + organization + " " + score);
        return item;
      }));
      found.textContent = words.length ? some.length + " of " + names.length + " models" + (some.length > 60 ? ", the first 60:" : "") : "";
    };
    search.addEventListener("input", show);
    if (search.value) show();
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
