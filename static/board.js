// Sort, filter, pick, compare, copy, theme. The page is complete without any of it.
(() => {
  "use strict";
  const one = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const root = document.documentElement;
  const state = new URLSearchParams(location.search);

  // What a Space adds to the address is not part of it.
  for (const key of ["__theme", "__sign"]) state.delete(key);
  const plain = (query) => query.toString().replaceAll("%2F", "/").replaceAll("%2C", ",");
  const isFramed = parent !== window;

  // The address mirrors what is shown. In a frame the outer page's address does too: there a page is
  // `?go=m/<slug>`, because the outer page has one address for all pages.
  function outerQuery() {
    const query = new URLSearchParams(root.dataset.here === "index.html" ? "" : { go: root.dataset.here.replace(/\.html$/, "") });
    for (const [key, value] of state) query.set(key, value);
    return plain(query);
  }
  function tell() {
    if (isFramed) parent.postMessage({ queryString: outerQuery(), hash: location.hash }, "*");
  }
  function own() {
    const query = plain(state);
    return location.pathname + (query ? "?" + query : "") + location.hash;
  }
  function address() {
    if (!isFramed) return new URL(own(), location.href).href;
    const query = outerQuery();
    const base = root.dataset.space || new URL((root.dataset.here.includes("/") ? "../" : "") + "index.html", location.href).href.split("?")[0];
    return base + (query ? "?" + query : "") + location.hash;
  }
  const full = one("#full");
  function remember(key, value) {
    if (value) state.set(key, value); else state.delete(key);
    try { history.replaceState(null, "", own()); } catch { /* from disk */ }
    full.href = own();
    tell();
  }
  full.hidden = !isFramed;
  full.target = "_blank";
  full.rel = "noopener";
  full.href = own();
  tell();
  addEventListener("hashchange", tell);

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
    try {
      sessionStorage.removeItem("theme");
      if (next === "system") localStorage.removeItem("theme"); else localStorage.setItem("theme", next);
    } catch { /* not kept */ }
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

  const copyText = async (button, text, failed) => {
    const words = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = failed;
    }
    setTimeout(() => { button.textContent = words; }, 2000);
  };
  for (const button of all("button[data-copy]")) button.addEventListener("click", () => copyText(button, button.dataset.copy, button.dataset.copy));
  for (const button of all("[data-copy-link]")) button.addEventListener("click", () => copyText(button, address(), address()));

  const table = one("#board");
  const hits = one("#hits");
  if (table) board(table);
  if (hits) searchAll(hits);
  const compare = one("#compare");
  if (compare) comparison(compare);
  if (one("#two-runs")) twoRuns(one("#two-runs"));
  if (one("#order")) prompts(one("#order"));

  // The script of an answer, without the linter's notes.
  for (const button of all("[data-copy-script]")) button.addEventListener("click", () => {
    const lines = all(".script li > code", button.closest(".beside")).map((line) => line.textContent);
    copyText(button, lines.join("\n") + "\n", "Not copied");
  });

  // A menu closes on a click elsewhere and on Escape.
  for (const menu of all(".menu")) {
    document.addEventListener("click", (event) => { if (!menu.contains(event.target)) menu.open = false; });
    menu.addEventListener("keydown", (event) => { if (event.key === "Escape") { menu.open = false; one("summary", menu).focus(); } });
  }

  // Prompts: a search, an order and a choice of models, in the table and in the list for phones. By tier
  // is how the page is written; any other order is over all tiers.
  function prompts(orders) {
    const search = one("#q");
    const order = { get value() { return one(":checked", orders).value; } };
    const top = one("#top-only");
    const boxes = all("#columns input");
    const heads = all("#matrix thead th").slice(2);
    const isTop = heads.map((head) => head.classList.contains("top"));
    // The cells of each model: the last ones of a row of the table, those of a strip in the list.
    const lists = [...all("#matrix tr, #matrix colgroup").map((row) => [...row.children].slice(-heads.length)), ...all("#list .strip").map((strip) => [...strip.children])];
    function showModels() {
      const isOn = heads.map((_, at) => (!top || top.getAttribute("aria-pressed") !== "true" || isTop[at]) && (!boxes.length || boxes[at].checked));
      for (const cells of lists) cells.forEach((cell, at) => { cell.hidden = !isOn[at]; });
      const on = boxes.filter((box) => box.checked);
      remember("models", on.length === boxes.length ? "" : on.map((box) => box.value).join(",") || "none");
    }
    if (top) {
      top.setAttribute("aria-pressed", String(state.get("top") === "1"));
      top.addEventListener("click", () => {
        const on = top.getAttribute("aria-pressed") !== "true";
        top.setAttribute("aria-pressed", String(on));
        remember("top", on ? "1" : "");
        showModels();
      });
    }
    const models = state.get("models");
    // A browser may have kept what was chosen before a reload; the address decides.
    for (const box of boxes) box.checked = !models || models.split(",").includes(box.value);
    for (const box of boxes) box.addEventListener("change", showModels);
    if (models || state.get("top") === "1") showModels();
    const views = all("#matrix, #list").map((view) => {
      const rows = all("[data-id]", view);
      return { view, rows, homes: rows.map((row) => row.parentNode), flat: document.createElement(view.id === "list" ? "ul" : "tbody"), groups: all(".group", view) };
    });
    const name = (row) => one("a > span, th a", row).textContent.toLowerCase();
    const worth = { hardest: (row) => Number(row.dataset.solved), name };
    function show() {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      const of = worth[order.value];
      let shown = 0;
      for (const { view, rows, homes, flat, groups } of views) {
        for (const row of rows) row.hidden = !words.every((word) => (name(row) + " " + row.dataset.id).includes(word));
        if (of) {
          flat.replaceChildren(...rows.map((row, at) => [of(row), at, row]).sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] - b[1])).map((keyed) => keyed[2]));
          view.append(flat);
        } else {
          rows.forEach((row, at) => homes[at].append(row));
          flat.remove();
        }
        for (const group of groups) group.hidden = !all("[data-id]", group).some((row) => !row.hidden);
        shown = rows.filter((row) => !row.hidden).length;
      }
      one("#none").hidden = shown > 0;
      one("#found").textContent = words.length ? shown + " of " + views[0].rows.length + " prompts" : "";
      one("#by").textContent = { name: ", by name" }[order.value] || ", hardest first";
    }
    search.value = state.get("q") || "";
    one('[value="' + (worth[state.get("sort")] ? state.get("sort") : "tier") + '"]', orders).checked = true;
    search.addEventListener("input", () => { show(); remember("q", search.value); });
    orders.addEventListener("change", () => { show(); remember("sort", order.value === "tier" ? "" : order.value); });
    show();
  }

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
        return on;
      };
      const wanted = (state.get("columns") || "").split(",");
      for (const box of boxes) {
        box.checked = wanted.includes(box.value);
        box.addEventListener("change", () => remember("columns", showColumns().join(",")));
      }
      if (boxes.some((box) => box.checked)) showColumns();

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
    }

    // Picking rows to compare: a tray counts them.
    const picked = (state.get("pick") || "").split(",").filter((slug) => rows.some((row) => row.dataset.slug === slug)).slice(0, 4);
    if (one('a[href="compare.html"]') && rows.length > 1) {
      const tray = document.createElement("div");
      tray.className = "tray";
      const words = document.createElement("span");
      words.setAttribute("role", "status");
      const go = document.createElement("a");
      go.className = "button";
      go.textContent = "Compare";
      const drop = document.createElement("button");
      drop.type = "button";
      drop.className = "link";
      drop.textContent = "Clear";
      const names = document.createElement("span");
      names.className = "picked";
      const chip = (slug) => {
        const name = one(".c-name a", rows.find((row) => row.dataset.slug === slug)).textContent;
        const remove = document.createElement("button");
        remove.type = "button";
        remove.className = "chip";
        remove.textContent = name + " ×";
        remove.setAttribute("aria-label", "Remove " + name);
        remove.addEventListener("click", () => { picked.splice(picked.indexOf(slug), 1); show(); });
        return remove;
      };
      tray.append(words, names, go, drop);
      table.after(tray);
      const boxes = new Map();
      const show = (refused) => {
        tray.hidden = !picked.length;
        words.textContent = refused || picked.length + " of 4";
        names.replaceChildren(...picked.map(chip));
        go.hidden = picked.length < 2;
        go.href = "compare.html?pick=" + picked.map(encodeURIComponent).join(",");
        for (const [slug, box] of boxes) box.checked = picked.includes(slug);
        remember("pick", picked.join(","));
      };
      drop.addEventListener("click", () => { picked.length = 0; show(); });
      for (const row of rows) {
        const box = document.createElement("input");
        const slug = row.dataset.slug;
        box.type = "checkbox";
        box.className = "pick";
        box.setAttribute("aria-label", "Compare " + one(".c-name a", row).textContent);
        box.addEventListener("change", () => {
          const at = picked.indexOf(slug);
          const isFull = at < 0 && picked.length >= 4;
          if (at >= 0) picked.splice(at, 1); else if (!isFull) picked.push(slug);
          show(isFull ? "4 models are picked, the most that can be compared. Remove one first." : "");
        });
        boxes.set(slug, box);
        one(".c-place", row).prepend(box);
      }
      if (picked.length) show(); else tray.hidden = true;
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

  // Two runs of a pack: shows two columns and their difference. The sentences are those of
  // src/site/view/pack_compare.rs.
  function twoRuns(table) {
    const heads = all("thead th[data-run]");
    const slugs = heads.map((head) => head.dataset.run);
    const rows = all("tr", table).map((row) => [...row.children]);
    const place = (at) => heads.find((head) => head.dataset.shown === at).dataset.run;
    const selects = [one("#first"), one("#second")];
    const decimals = Number(table.dataset.decimals);
    const signed = (value) => {
      // As many digits as a difference needs to show; the scores have at most 15.
      let digits = decimals;
      while (Math.abs(value) >= 1e-12 && !Number(value.toFixed(digits))) digits++;
      const text = Math.abs(value).toFixed(digits);
      return Number(text) ? (value > 0 ? "+" : "−") + text : text;
    };
    const known = (name, other) => (slugs.includes(state.get(name)) ? state.get(name) : other);
    const second = known("b", place("2"));
    const first = known("a", second === place("1") ? place("2") : place("1"));
    [selects[0].value, selects[1].value] = [first, second];
    const show = () => {
      const picked = selects.map((select) => slugs.indexOf(select.value) + 1);
      for (const [name, ...cells] of rows) {
        const end = cells.pop();
        cells.forEach((cell, at) => { cell.hidden = !picked.includes(at + 1); });
        const pair = picked.map((at) => cells[at - 1]);
        name.after(...new Set(pair));
        end.hidden = false;
        if (end.tagName === "TD") {
          const [from, to] = pair.map((cell) => cell.dataset.value);
          end.textContent = from && to ? signed(Number(to) - Number(from)) : pair.some((cell) => cell.dataset.value) ? "–" : "";
        }
      }
      const [a, b] = picked.map((at) => heads[at - 1]);
      const [model, date] = ["a", "small"].map((part) => (head) => one(part, head).textContent);
      one("#heading").textContent = model(a) === model(b) ? model(a) + ": " + date(a) + " and " + date(b) : model(a) + " and " + model(b);
      one("#compares").textContent = a.dataset.group && a.dataset.group === b.dataset.group
        ? "These runs compare: same scoring mode, same documents."
        : "These runs do not compare: another scoring mode or other documents, or it is not known which. Read the difference with care.";
    };
    selects.forEach((select, at) => select.addEventListener("change", () => {
      remember("ab"[at], select.value);
      show();
    }));
    show();
  }

  // Models side by side. Everything here is also in src/site/view/compare.rs, for the models that the
  // page shows at first.
  function comparison(table) {
    const data = JSON.parse(table.dataset.models);
    const most = Number(table.dataset.most);
    const first = Number(table.dataset.first);
    const [texts, reasons] = one("#differ") ? JSON.parse(one("#differ").dataset.why) : [[], {}];
    const rows = new Map(data.rows.map((row) => [row.slug, row]));
    const add = one("#add");
    const refused = one("#refused");
    const wanted = (state.get("pick") || "").split(",").filter(Boolean);
    const known = [...new Set(wanted)].filter((slug) => rows.has(slug));
    let picked = known.slice(0, most);
    if (!picked.length) picked = data.rows.slice(0, 3).map((row) => row.slug);
    const unknown = wanted.filter((slug) => !rows.has(slug));
    const full = "This page compares at most " + most + " models. Remove one to add another.";
    refused.textContent = unknown.length ? "Not on this board: " + unknown.join(", ") + "." : known.length > most ? full : "";

    // Escapes every value that is put in.
    const escape = (value) => String(value).replace(/[&<>"]/g, (c) => "&#" + c.charCodeAt(0) + ";");
    const html = (parts, ...values) => parts.map((part, at) => part + (at < values.length ? [values[at]].flat().map((value) => (value && value.raw !== undefined ? value.raw : escape(value))).join("") : "")).join("");
    const raw = (text) => ({ raw: text });

    const list = (names) => (names.length < 2 ? names.join("") : names.slice(0, -1).join(", ") + " and " + names[names.length - 1]);
    const whole = ([passed, total]) => (total ? Math.floor((200 * passed + total) / (2 * total)) : 0) + "%";
    const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
    const share = ([passed, total]) => (total ? passed / total : 0);
    const significance = (a, b) => (a[1] === b[1] ? Math.max(bestCase(a[0], b[0]), fisher(a, b)) : null);
    // Prompts that `x` solves and `y` does not.
    const only = (x, y) => data.prompts.filter((_, at) => x.solved[at] === "1" && y.solved[at] === "0");
    const paired = (a, b) => mcnemar(only(a, b).length, only(b, a).length);
    const words = (p) => (p < 0.001 ? "< 0.001" : "= " + p.toFixed(p < 0.0995 ? 3 : 2));

    const areApart = (a, b) => Boolean(a.cohort && b.cohort && a.cohort !== b.cohort);
    const notComparable = (a, b) => a.name + " and " + b.name + " are not comparable: another protocol, judge or public set.";

    function lede(shown) {
      const isPrivate = shown.filter((row) => row.private).length > 1;
      const score = (row) => (isPrivate ? row.private : row.public);
      const scored = shown.filter(score).sort((a, b) => share(score(b)) - share(score(a)));
      if (scored.length < 2) return [];
      const [best, next] = scored;
      const [first, second] = [score(best), score(next)];
      const isTied = String(first) === String(second);
      let line = isTied ? best.name + " and " + next.name + " solve equally many" : best.name + " solves most (" + whole(first) + ")";
      const costs = shown.filter((row) => row.cost).sort((a, b) => a.cost[0] - b.cost[0]);
      if (costs.length > 1) {
        const who = costs[0].name === best.name && !isTied ? " and" : "; " + costs[0].name;
        line += who + " costs least (" + costs[0].cost[1] + " per solved prompt, against " + costs[costs.length - 1].cost[1] + ")";
      }
      if (areApart(best, next)) return [line + ".", notComparable(best, next)];
      const between = "between " + best.name + " and " + next.name;
      const prompts = "the " + grouped(first[1]) + " " + (isPrivate ? "private" : "public") + " prompts";
      const p = !isPrivate && best.solved && next.solved ? paired(best, next) : significance(first, second);
      const lead = p === null ? "The scores of " + best.name + " and " + next.name + " are over different numbers of prompts."
        : p > 0.05 ? "No significant difference " + between + " on " + prompts + "." : "The difference " + between + " is significant on " + prompts + ".";
      return [line + ".", lead];
    }

    function cells(shown, [, , isLower], at) {
      const values = shown.map((row) => row.cells[at][2]).filter((value) => value !== null);
      const best = shown.length > 1 && values.length ? (isLower ? Math.min(...values) : Math.max(...values)) : null;
      const largest = Math.max(0, ...values);
      const percent = (value) => value.toFixed(1) + "%";
      return shown.map((row) => {
        const [text, detail, value, range] = row.cells[at];
        let drawn = "";
        if (range) drawn = html`<svg class="range${row.top ? " top" : ""}" aria-hidden="true"><rect x="${percent(range[0])}" width="${percent(range[1] - range[0])}" y="2" height="8" rx="4"></rect><circle cx="${percent(value * 100)}" cy="6" r="5"></circle></svg>`;
        else if (value !== null && largest > 0) drawn = html`<svg class="length" aria-hidden="true"><rect width="${percent(value / largest * 100)}" height="6" rx="2"></rect></svg>`;
        return raw(html`<td>${value !== null && value === best ? raw(html`<b>${text}</b>`) : text}${detail ? raw(html` <small>${detail}</small>`) : ""}${raw(drawn)}</td>`);
      });
    }

    function pair(a, b) {
      const links = (who, prompts) => (prompts.length ? html`<p class="note">Only ${who.name}: ${raw(prompts.map((prompt) => html`<a href="p/${prompt.slug}.html">${prompt.title}</a>`).join(", "))}</p>` : "");
      let sentence = "";
      let which = "";
      if (a.solved && b.solved && !areApart(a, b)) {
        const [onlyA, onlyB] = [only(a, b), only(b, a)];
        sentence = html`<p>${a.name} solves <b>${onlyA.length} public prompt${onlyA.length === 1 ? "" : "s"}</b> that ${b.name} does not; ${b.name} solves <b>${onlyB.length}</b> that ${a.name} does not; p ${words(paired(a, b))}.</p>`;
        which = links(a, onlyA) + "\n" + links(b, onlyB);
      }
      let test = "Private test: pending.";
      if (areApart(a, b)) test = notComparable(a, b);
      else if (a.private && b.private) {
        const p = significance(a.private, b.private);
        test = p === null ? "Private test: " + a.private.join(" of ") + " against " + b.private.join(" of ") + "."
          : "Private test: " + a.private[0] + " against " + b.private[0] + " of " + a.private[1] + ", p " + words(p) + ", " + (p > 0.05 ? "no significant difference" : "significant") + ".";
      }
      return html`<div class="pair">\n${raw(sentence)}\n<p class="note">${test}</p>\n${raw(which)}\n</div>`;
    }

    function differ(shown) {
      if (!shown.every((row) => row.solved)) return "";
      const prompts = data.prompts.map((prompt, at) => [prompt, shown.map((row) => row.solved[at] === "1")]).filter(([, solved]) => solved.some((one) => one !== solved[0]));
      if (!prompts.length) return "";
      const mark = (solved) => raw(solved ? '<td><span class="cell"></span><span class="v">solved</span></td>' : '<td><span class="cell x"></span><span class="v">failed</span></td>');
      // The first model that fails, and why; what is between backticks is code.
      const reason = (prompt, solved) => {
        const failed = shown[solved.indexOf(false)];
        const numbers = reasons[failed.slug];
        const text = numbers ? texts[numbers[data.prompts.indexOf(prompt)]] : "";
        const part = (words, at) => (words ? raw(at % 2 ? html`<code>${words}</code>` : html`${words}`) : "");
        return text ? html`${failed.name}: ${text.split("`").map(part)}` : "";
      };
      // Which model solves it alone, counted from 1; 0 if several do.
      const alone = (solved) => (solved.filter(Boolean).length === 1 ? solved.indexOf(true) + 1 : 0);
      const only = shown.map((row, at) => [at + 1, row.name, prompts.filter(([, solved]) => alone(solved) === at + 1).length]).filter(([, , count]) => count);
      const chip = ([at, name, count]) => raw(html`<label class="chip"><input type="radio" name="differ" id="differ-${at}"> Only <span class="cut">${name}</span> solves ${count}</label>`);
      const more = prompts.length - first;
      const line = ([prompt, solved]) => raw(html`<tr${alone(solved) ? raw(html` class="only-${alone(solved)}"`) : ""}><th scope="row"><a href="p/${prompt.slug}.html">${prompt.title}</a></th><td>${prompt.tier}</td>${solved.map(mark)}<td class="why">${raw(reason(prompt, solved))}</td></tr>\n`);
      return html`<h2>${prompts.length} public prompt${prompts.length === 1 ? "" : "s"} on which they differ</h2>
<div class="bar-line">
<fieldset class="chips"><legend class="v">Show</legend>
<label class="chip"><input type="radio" name="differ" id="differ-all" checked> All ${prompts.length}</label>${only.map(chip)}
</fieldset>
<p class="key note"><span class="cell y"></span> solved <span class="cell x"></span> failed</p>
</div>
<section class="scroll" tabindex="0" aria-label="Prompts on which they differ"><table class="differ">
<thead><tr><th scope="col">Prompt, hardest first</th><th scope="col">Tier</th>${shown.map((row) => raw(html`<th scope="col">${row.name}</th>`))}<th scope="col" class="why">Why it failed</th></tr></thead>
<tbody>${prompts.map(line)}</tbody>
</table></section>${more > 0 ? raw(html`<label class="differ-more"><input type="checkbox" id="differ-more"> ${more} more</label>`) : ""}`;
    }

    function show() {
      const shown = picked.map((slug) => rows.get(slug));
      one("#heading").textContent = list(shown.map((row) => row.name));
      one("#shows").innerHTML = lede(shown).map((line) => html`<p class="lede">${line}</p>`).join("");
      table.tHead.innerHTML = html`<tr><th scope="col"><span class="v">Measure</span></th>${shown.map((row) => raw(html`<th scope="col"><a href="m/${row.slug}.html">${row.name}</a><small>${row.place}</small></th>`))}</tr>`;
      table.tBodies[0].innerHTML = data.measures.map((measure, at) => html`<tr><th scope="row">${measure[0]}${measure[1] ? raw(html`<small>${measure[1]}</small>`) : ""}</th>${cells(shown, measure, at)}</tr>\n`).join("");
      const pairs = [];
      shown.forEach((a, at) => shown.slice(at + 1).forEach((b) => pairs.push(pair(a, b))));
      if (one("#pairs")) {
        one("#pairs").innerHTML = pairs.join("");
        one("#differ").innerHTML = differ(shown);
      }
      one("#chips").replaceChildren(...shown.map((row) => {
        const chip = document.createElement("li");
        chip.className = row.top ? "chip top" : "chip";
        const remove = document.createElement("button");
        remove.type = "button";
        remove.textContent = "×";
        remove.setAttribute("aria-label", "Remove " + row.name);
        remove.disabled = picked.length < 2;
        remove.addEventListener("click", () => { pick(picked.filter((slug) => slug !== row.slug)); add.focus(); });
        const organization = document.createElement("small");
        organization.textContent = row.organization || "";
        chip.append(row.name + " ", organization, remove);
        return chip;
      }));
      add.placeholder = picked.length < most ? "Add a model (" + (most - picked.length) + " more)" : most + " models picked";
    }
    function pick(slugs) {
      picked = slugs;
      refused.textContent = "";
      remember("pick", picked.join(","));
      show();
    }
    function take(text, isWhole) {
      const name = text.trim().toLowerCase();
      if (!name) return;
      const found = data.rows.find((row) => row.name.toLowerCase() === name)
        || (isWhole ? data.rows.find((row) => (row.name + " " + (row.organization || "")).toLowerCase().includes(name) && !picked.includes(row.slug)) : null);
      if (!found && !isWhole) return;
      if (!found) refused.textContent = "No model is called “" + text.trim() + "”.";
      else if (picked.includes(found.slug)) refused.textContent = found.name + " is picked already.";
      else if (picked.length >= most) refused.textContent = full;
      else pick([...picked, found.slug]);
      add.value = "";
    }
    add.addEventListener("input", (event) => { if (!event.inputType || event.inputType === "insertReplacementText") take(add.value, false); });
    add.addEventListener("keydown", (event) => { if (event.key === "Enter") take(add.value, true); });
    show();
  }

  // The tests of src/table/significance/exact.rs.
  function lnFactorials(n) {
    const sums = [0];
    for (let at = 1; at <= n; at++) sums.push(sums[at - 1] + Math.log(at));
    return sums;
  }
  function mcnemar(a, b) {
    const n = a + b;
    const ln = lnFactorials(n);
    let sum = 0;
    for (let i = 0; i <= Math.min(a, b); i++) sum += Math.exp(ln[n] - ln[i] - ln[n - i] - n * Math.LN2);
    return Math.min(1, 2 * sum);
  }
  function bestCase(a, b) {
    return Math.min(1, 2 ** (1 - Math.abs(a - b)));
  }
  function fisher([k1, n1], [k2, n2]) {
    const passed = k1 + k2;
    const ln = lnFactorials(Math.max(n1, n2));
    const weight = (x) => ln[n1] - ln[x] - ln[n1 - x] + ln[n2] - ln[passed - x] - ln[n2 - passed + x];
    const seen = weight(k1);
    let extreme = 0;
    let whole = 0;
    for (let x = Math.max(0, passed - n2); x <= Math.min(passed, n1); x++) {
      const relative = Math.exp(weight(x) - seen);
      whole += relative;
      if (relative <= 1 + 1e-7) extreme += relative;
    }
    return Math.min(1, extreme / whole);
  }
})();
