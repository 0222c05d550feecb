// Re-derives rows and scores a script with the core of the program, compiled to WebAssembly. It runs in
// a worker, after a click; nothing is sent anywhere. Pages that use it are complete without it.
(() => {
  "use strict";
  const one = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };
  // `name` becomes code.
  const words = (text) => text.split("`").map((part, at) => at % 2 ? element("code", { textContent: part }) : part);
  const root = document.documentElement.dataset.here.includes("/") ? "../" : "";
  const isDisk = location.protocol === "file:";

  // The source of the worker: it cannot be a file of its own, because a page from disk may not load one.
  function work() {
    let module;
    const decoder = new TextDecoder();
    const encoder = new TextEncoder();
    async function load(text) {
      const letters = atob(text);
      const packed = new Uint8Array(letters.length);
      for (let at = 0; at < packed.length; at++) packed[at] = letters.charCodeAt(at);
      const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
      const bytes = await new Response(stream).arrayBuffer();
      module = (await WebAssembly.instantiate(bytes, {})).instance.exports;
    }
    function call(operation, given, ...numbers) {
      for (const it of given) {
        if (it === null) {
          module.absent();
          continue;
        }
        const bytes = typeof it === "string" ? encoder.encode(it) : new Uint8Array(it);
        const at = module.put(bytes.length) >>> 0;
        new Uint8Array(module.memory.buffer, at, bytes.length).set(bytes);
      }
      module[operation](...numbers);
      const at = module.answer() >>> 0;
      return JSON.parse(decoder.decode(new Uint8Array(module.memory.buffer, at, module.answer_len() >>> 0)));
    }
    onmessage = async ({ data }) => {
      const start = performance.now();
      try {
        if (data.load) await load(data.load);
        const answer = data.load ? null : call(data.operation, data.given, ...data.numbers);
        postMessage({ id: data.id, answer, time: performance.now() - start, memory: module.memory.buffer.byteLength });
      } catch (error) {
        postMessage({ id: data.id, error: String(error) });
      }
    };
  }

  // A script file sets a global: the only way to load data from disk.
  const loading = {};
  const global = (name, path) => loading[name] ||= new Promise((done, failed) => {
    const script = element("script", { src: path });
    script.onload = () => done(globalThis[name]);
    script.onerror = () => {
      delete loading[name];
      failed(new Error("cannot load " + path));
    };
    document.head.append(script);
  });

  // A worker with the module in it; `call` answers in the order of the calls.
  async function start(path) {
    const loaded = global("gmatModule", path);
    const address = URL.createObjectURL(new Blob(["(" + work + ")()"], { type: "text/javascript" }));
    const worker = new Worker(address);
    URL.revokeObjectURL(address);
    const waiting = new Map();
    let last = 0;
    const fail = (error) => {
      for (const { failed } of waiting.values()) failed(new Error(error));
      waiting.clear();
    };
    worker.onmessage = ({ data }) => {
      const { done, failed } = waiting.get(data.id);
      waiting.delete(data.id);
      if (data.error) failed(new Error(data.error)); else done(data);
    };
    worker.onerror = (event) => fail(event.message || "the worker stopped");
    const send = (message, moved = []) => new Promise((done, failed) => {
      waiting.set(++last, { done, failed });
      worker.postMessage({ id: last, ...message }, moved);
    });
    try {
      await send({ load: await loaded });
    } catch (error) {
      worker.terminate();
      throw error;
    }
    return {
      call: (operation, given = [], ...numbers) => send({ operation, given, numbers }, given.filter((it) => it instanceof ArrayBuffer)),
      stop: () => { worker.terminate(); fail("stopped"); },
    };
  }

  const PUBLIC = ["prompts.json", "completions.json", "judge.json"];
  const LIFT = ["prompts.json", "trajectory.json", "verdicts.json"];
  const SEAL = "leaderboard/leaderboard.seal.json";
  const SIGNATURE = SEAL + ".minisig";

  // Where files come from: `config` and `board` with their names; files `beside` the bundles, as names
  // below the root and bytes in turn; `other` files of a clone by name; `shared` prompts; and the six
  // files of a seed, where SHARED is those prompts.
  const SHARED = Symbol("shared");
  async function published() {
    // Without the browser's cache two hundred files arrive in half the time.
    const get = async (path) => {
      const answer = await fetch(root + path, { cache: "no-store" });
      if (!answer.ok) throw new Error(path + ": " + answer.status);
      return answer.arrayBuffer();
    };
    const [sums, config, board] = await Promise.all(["SHA256SUMS", "v1/config.json", "leaderboard.json"].map(get));
    const listed = new Set(new TextDecoder().decode(sums).split("\n").map((line) => line.slice(66)));
    const file = (path) => listed.has(path) ? get(path) : null;
    const seal = file("leaderboard.seal.json"), signature = file("leaderboard.seal.json.minisig");
    // Prompts that all rows share are published once.
    const shared = file(PUBLIC[0]);
    const bundled = (slug, name) => {
      const isShared = name === PUBLIC[0] && listed.has("bundles/" + slug + "/" + PUBLIC[1]);
      return file("bundles/" + slug + "/" + name) || (isShared && shared ? SHARED : null);
    };
    return {
      names: ["v1/config.json", "leaderboard.json"],
      config,
      board,
      isShown: true,
      beside: [...(seal ? [SEAL, await seal] : []), ...(signature ? [SIGNATURE, await signature] : [])],
      shared: await shared,
      files: (seed) => Promise.all([...PUBLIC.map((name) => bundled(seed.slug, name)), ...LIFT.map((name) => file("bundles/" + seed.slug + "/lift/" + name))]),
    };
  }

  // Files that were dropped: a site, a clone, folders of bundles, or the files of one row. Board and
  // config are those of this site where they are not among them.
  async function dropped(files) {
    const paths = [...files.keys()].sort((a, b) => a.split("/").length - b.split("/").length || a.length - b.length);
    const find = (name) => paths.find((path) => path === name || path.endsWith("/" + name));
    // The config nearest to the top says where the site or the clone begins.
    const at = { config: paths.find((path) => /(^|\/)(v1\/config|seeds)\.json$/.test(path)) };
    const isClone = Boolean(at.config && at.config.endsWith("seeds.json"));
    const base = at.config ? at.config.replace(/(v1\/config|(leaderboard\/)?seeds)\.json$/, "") : null;
    at.board = base === null ? find("leaderboard.json") : base + (isClone ? "leaderboard/leaderboard.json" : "leaderboard.json");
    if (!files.has(at.board)) at.board = undefined;
    const text = isDisk && (!at.config || !at.board) ? await global("gmatBoard", root + "v1/board.js") : null;
    const own = async (part, path) => {
      if (at[part]) return files.get(at[part]).arrayBuffer();
      if (text) return new TextEncoder().encode(text[part]).slice().buffer;
      return (await fetch(root + path, { cache: "no-store" })).arrayBuffer();
    };
    const pick = async (folder, names) => {
      const shared = names === PUBLIC && files.has(folder + PUBLIC[1]) ? files.get(folder.replace(/bundles\/[^/]+\/$/, "") + PUBLIC[0]) : null;
      const there = names.map((name, at) => files.get(folder + name) || (at === 0 ? shared : null));
      return there.some(Boolean) ? Promise.all(there.map((file) => file ? file.arrayBuffer() : null)) : null;
    };
    const absent = [null, null, null];
    const every = new Set([...files.keys()].map((path) => path.slice(0, path.lastIndexOf("/") + 1)));
    const folders = (name) => [...every].filter((folder) => ("/" + folder).endsWith("/" + name + "/"));
    const last = (path) => path.split("/").pop();
    const bundles = (seed) => base !== null
      ? [base + (isClone ? seed.public : "bundles/" + seed.slug) + "/"].filter((folder) => every.has(folder))
      : [...folders("bundles/" + seed.slug), ...folders(seed.public), ...folders(seed.slug), ...folders(last(seed.public))];
    const lifts = (seed) => base !== null
      ? [base + (isClone ? seed.lift : "bundles/" + seed.slug + "/lift") + "/"]
      : [...folders(seed.slug + "/lift"), ...folders(seed.lift), ...folders(last(seed.lift))];
    // The files of one row without a folder: the keys of completions.json name the model.
    const alone = base === null && PUBLIC.every((name) => files.has(name));
    const key = alone ? /"([^"]+):[0-9a-f]{16}"/.exec(await files.get("completions.json").slice(0, 4096).text()) : null;
    const isNamed = (seed) => key && (key[1] === seed.id || key[1].slice(key[1].indexOf(":")) === seed.id.slice(seed.id.indexOf(":")));
    // Ledger and seal of a clone are files; of a site the seal alone.
    const paired = async (pairs) => (await Promise.all(pairs.map(async ([name, path]) => [name, await files.get(path).arrayBuffer()]))).flat();
    const isBeside = (name) => /^leaderboard\/(history\.(jsonl|checkpoints)|weekly\.json|leaderboard\.seal\.json(\.minisig)?|boards\/.+)$/.test(name);
    const beside = base === null || !at.board ? [] : isClone
      ? paths.filter((path) => path.startsWith(base)).map((path) => [path.slice(base.length), path]).filter(([name]) => isBeside(name))
      : [[SEAL, base + "leaderboard.seal.json"], [SIGNATURE, base + "leaderboard.seal.json.minisig"]].filter(([, path]) => files.has(path));
    return {
      names: [at.config || "v1/config.json", at.board || "leaderboard.json"],
      isCheckout: isClone && Boolean(at.board),
      beside: await paired(beside),
      other: async (name) => files.has(base + name) ? [name, await files.get(base + name).arrayBuffer()] : [],
      config: await own("config", "v1/config.json"),
      board: await own("board", "leaderboard.json"),
      has: (seed) => bundles(seed).length > 0 || Boolean(isNamed(seed)),
      files: async (seed) => {
        let bundle = null, lift = null;
        for (const folder of [...bundles(seed), ...(isNamed(seed) ? [""] : [])]) bundle ||= await pick(folder, PUBLIC);
        if (seed.lift) for (const folder of [...lifts(seed), ...(isNamed(seed) ? ["lift/"] : [])]) lift ||= await pick(folder, LIFT);
        return [...(bundle || absent), ...(lift || absent)];
      },
    };
  }

  const seconds = (time) => time < 1000 ? Math.round(time) + " ms" : (time / 1000).toFixed(1) + " s";

  // A finding in the words of the command line.
  function told(finding) {
    const place = [finding.file, finding.path].filter(Boolean).join(", ");
    const sides = finding.published !== null && finding.rebuilt !== null ? "published " + finding.published + ", rebuilt " + finding.rebuilt : "";
    return element("li", {},
      element("b", { textContent: finding.code }), " ", ...words(finding.what),
      element("small", { textContent: [place, sides].filter(Boolean).join(" · ") }),
      element("small", {}, ...words("help: " + finding.help)));
  }

  // Re-deriving: all rows of a table, or the one row of an entry page.
  function deriving(box) {
    const button = one("[data-run]", box);
    const stopping = one("[data-stop]", box);
    const status = one("[data-status]", box);
    const bar = one("progress", box);
    const findings = one("[data-findings]", box);
    const only = box.dataset.only || null;
    const rows = new Map(all("tr[data-slug]", box).map((row) => [row.dataset.slug, row]));
    let running = null;
    const cell = (row, name) => one("." + name, row);
    function reset() {
      for (const row of rows.values()) {
        row.className = "";
        for (const name of ["derived", "sum", "time"]) cell(row, name).textContent = "–";
        cell(row, "said").textContent = row.hasAttribute("data-bundle") ? "published" : "no bundle published";
      }
      findings.replaceChildren();
      findings.hidden = true;
      Object.assign(box.dataset, { answer: "", codes: "" });
    }
    async function run(gather) {
      if (running) return;
      running = {};
      const begun = performance.now();
      reset();
      button.disabled = true;
      stopping.hidden = false;
      bar.hidden = false;
      bar.removeAttribute("value");
      status.textContent = "Loading …";
      let worker;
      try {
        // Files are read while the module is compiled.
        const starting = start(root + box.dataset.module);
        const gathering = (async () => gather())();
        gathering.catch(() => {});
        worker = await starting;
        running.stop = worker.stop;
        const source = await gathering;
        const open = async (only) => (await worker.call("open", [source.names[0], source.config.slice(0), source.names[1], source.board.slice(0), only])).answer;
        let opened = await open(null);
        if (opened.failures) return fail(opened.failures);
        // One row: that of an entry page, or the only one whose files were dropped.
        const wanted = opened.seeds.filter((seed) => only ? seed.slug === only : source.has && source.has(seed));
        if (wanted.length === 1) opened = await open(wanted[0].id);
        else if (only) return fail(["the config has no seed of this row"]);
        const seeds = opened.seeds;
        bar.max = seeds.length;
        const [besides] = await Promise.all([
          worker.call("beside", source.beside, source.isCheckout ? 1 : 0),
          source.shared ? worker.call("share", [source.shared]) : null,
        ]);
        for (const name of besides.answer.wanted) await worker.call("others", await source.other(name));
        let answers = 0, done = 0, replaying = 0, largest = 1 << 18;
        // What changed is drawn a few times a second.
        const changed = new Map();
        let drawing = 0;
        const draw = () => {
          drawing = 0;
          for (const [row, { answer, time }] of changed) {
            row.className = "";
            cell(row, "derived").textContent = answer.sha256 ? answer.passed + " of " + answer.total : "–";
            cell(row, "sum").replaceChildren(answer.sha256 ? element("code", { textContent: answer.sha256.slice(0, 8), title: answer.sha256 }) : "–");
            cell(row, "time").textContent = seconds(time);
            cell(row, "said").textContent = answer.failures.length ? "cannot be read" : "replayed";
            row.dataset.done = "";
          }
          changed.clear();
          bar.value = done;
          status.textContent = done + " of " + seeds.length + " rows replayed · " + answers.toLocaleString("en") + " answers · " + seconds(performance.now() - begun);
        };
        // Each in turn: as many as fit into 4 MB are read ahead, so that the worker never waits.
        const one = async (at) => {
          const files = await source.files(seeds[at]);
          largest = Math.max(largest, files.reduce((sum, file) => sum + (file && file.byteLength || 0), 0));
          const row = rows.get(seeds[at].slug);
          if (files.some((file) => file !== null)) {
            const isShared = files[0] === SHARED;
            const told = await worker.call("replay", isShared ? [null, ...files.slice(1)] : files, at, isShared ? 1 : 0);
            replaying += told.time;
            box.dataset.memory = told.memory;
            answers += told.answer.total;
            if (row && (told.answer.sha256 || told.answer.failures.length)) changed.set(row, told);
          }
          done++;
          drawing ||= setTimeout(draw, 100);
        };
        let next = 0, reading = 0;
        await new Promise((whole, failed) => {
          const more = () => {
            if (done === seeds.length) whole();
            while (next < seeds.length && reading < Math.max(1, Math.min(16, (4 << 20) / largest))) {
              reading++;
              one(next++).then(() => { reading--; more(); }, failed);
            }
          };
          more();
        });
        clearTimeout(drawing);
        draw();
        const verdict = (await worker.call("finish", [new Date().toISOString()])).answer;
        box.dataset.replaying = Math.round(replaying);
        conclude(verdict, source, { answers, seeds, begun });
      } catch (error) {
        fail([error.message === "stopped" ? "Stopped: nothing is concluded." : "Could not check: " + error.message]);
      } finally {
        if (worker) worker.stop();
        running = null;
        button.disabled = false;
        stopping.hidden = true;
        bar.hidden = true;
      }
    }
    function fail(failures) {
      box.dataset.answer = "unusable";
      status.textContent = "Not checked.";
      findings.replaceChildren(...failures.map((text) => element("li", {}, ...words(text))));
      findings.hidden = false;
    }
    function conclude(verdict, source, { answers, seeds, begun }) {
      const board = source.names[1];
      // Which rows a finding is about: by its place on the board, or by the folder of the bundle.
      const about = new Map();
      for (const finding of verdict.findings) {
        const at = finding.file === board && /^entries\[(\d+)\]/.exec(finding.path);
        const seed = seeds.find((seed) => finding.file.startsWith(seed.public + "/") || (seed.lift && finding.file.startsWith(seed.lift + "/")));
        const known = seed || (at && seeds.find((seed) => seed.id === verdict.rows[Number(at[1])]));
        if (known) about.set(known.slug, [...(about.get(known.slug) || []), finding.code]);
      }
      let reproduced = 0, differ = 0;
      for (const [slug, row] of rows) {
        if (!("done" in row.dataset)) continue;
        delete row.dataset.done;
        const codes = about.get(slug);
        if (cell(row, "said").textContent === "cannot be read") { differ++; row.className = "bad"; continue; }
        const isOther = source.isShown && one(".n", row).textContent !== cell(row, "derived").textContent;
        row.className = codes || isOther ? "bad" : "good";
        cell(row, "said").textContent = codes ? "differs: " + [...new Set(codes)].join(", ") : isOther ? "this page shows another count" : "✓ reproduced";
        if (codes || isOther) differ++; else reproduced++;
      }
      box.dataset.answer = verdict.answer;
      box.dataset.codes = verdict.findings.map((finding) => finding.code).join(" ");
      const wrong = verdict.findings.length + verdict.failures.length;
      status.textContent = reproduced + " of " + rows.size + (rows.size === 1 ? " row" : " rows") + " reproduced, " + differ + " differ · " + answers.toLocaleString("en") + " answers · " + seconds(performance.now() - begun)
        + (wrong ? " · " + wrong + " finding" + (wrong === 1 ? "" : "s") : "");
      findings.replaceChildren(
        ...verdict.failures.map((text) => element("li", {}, ...words(text))),
        ...verdict.findings.map(told),
        ...verdict.notes.map((note) => { const item = told(note); item.className = "weak"; return item; }),
        element("li", { className: "weak", textContent: verdict.uncovered }));
      findings.hidden = false;
    }
    button.addEventListener("click", () => run(isDisk ? () => { throw new Error("a page from disk may not read other files; drop the folder of this site, or the files of a row, on this page"); } : published));
    stopping.addEventListener("click", () => running && running.stop && running.stop());

    // Dropped or chosen files, as a map from path to file.
    const take = (files) => { if (files.size) run(() => dropped(files)); };
    const chosen = (input) => new Map([...input.files].map((file) => [file.webkitRelativePath || file.name, file]));
    // The attribute of the same name is not part of HTML.
    for (const input of all("input[data-folder]", box)) input.webkitdirectory = true;
    for (const input of all("input[type=file]", box)) input.addEventListener("change", () => take(chosen(input)));
    // A clone may have folders with very many files that no board is made from.
    const isPassed = (name) => [".git", "target", "node_modules"].includes(name);
    // Chromium cannot walk the entries of a folder on a page from disk; there it has handles.
    async function walkHandle(handle, path, files) {
      if (isPassed(handle.name)) return;
      if (handle.kind === "file") files.set(path + handle.name, await handle.getFile());
      else for await (const child of handle.values()) await walkHandle(child, path + handle.name + "/", files);
    }
    async function walkEntry(entry, path, files) {
      if (isPassed(entry.name)) return;
      if (entry.isFile) {
        files.set(path + entry.name, await new Promise((done, failed) => entry.file(done, failed)));
        return;
      }
      const reader = entry.createReader();
      for (;;) {
        const some = await new Promise((done, failed) => reader.readEntries(done, failed));
        if (!some.length) break;
        for (const child of some) await walkEntry(child, path + entry.name + "/", files);
      }
    }
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", async (event) => {
      event.preventDefault();
      // What is dropped can only be asked for before the first wait.
      const plain = [...event.dataTransfer.files];
      const items = [...event.dataTransfer.items].filter((item) => item.kind === "file").map((item) => ({
        entry: item.webkitGetAsEntry && item.webkitGetAsEntry(),
        handle: isDisk && item.getAsFileSystemHandle && item.getAsFileSystemHandle(),
      }));
      run(async () => {
        const files = new Map();
        for (const [at, { entry, handle }] of items.entries()) {
          if (!entry || entry.isFile) files.set(plain[at].name, plain[at]);
          else if (handle) await walkHandle(await handle, "", files);
          else await walkEntry(entry, "", files);
        }
        return dropped(files);
      });
    });
    return run;
  }

  // An answer of the reader's own, line by line.
  function scoring(form) {
    const result = one("[data-result]", form.parentNode);
    const text = one("textarea", form);
    let worker = null;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        worker ||= await start(root + form.dataset.module);
        const script = text.value;
        const { answer } = await worker.call("score", [form.dataset.prompt, script]);
        show(script, answer);
      } catch (error) {
        worker = null;
        result.replaceChildren(element("p", { textContent: "Could not score: " + error.message }));
      }
      result.hidden = false;
    });
    function show(script, { passes, reasons, diagnostics, failures }) {
      const missing = reasons.filter((reason) => reason.line === null);
      const errors = diagnostics.filter((it) => it.severity === "error").length;
      const verdict = failures.length ? failures.join("; ") : passes
        ? "Nothing is missing and the linter has no error: the judge would decide."
        : "Fails before the judge is asked: " + [errors ? errors + (errors === 1 ? " error" : " errors") + " of the linter" : "", ...missing.map((reason) => reason.message)].filter(Boolean).join("; ") + ".";
      const lines = script.replace(/\n$/, "").split("\n").map((line, at) => {
        const own = diagnostics.filter((it) => it.line === at + 1);
        const item = element("li", { className: own.length ? "bad" : "" });
        const code = element("code");
        // Columns count characters, not the halves of a surrogate pair.
        const letters = [...line.replace(/\r$/, "")];
        if (own.length) {
          const from = own[0].column - 1, to = Math.min(own[0].end_column - 1, letters.length);
          code.append(letters.slice(0, from).join(""), element("mark", { textContent: letters.slice(from, to).join("") }), letters.slice(to).join(""));
        } else code.textContent = line;
        item.append(code, ...own.map((it) => element("span", { className: "note" }, ...words(it.severity + " " + it.rule + ": " + it.message + (it.suggestion ? "; did you mean `" + it.suggestion + "`?" : "")))));
        return item;
      });
      result.dataset.passes = passes;
      result.replaceChildren(element("p", { className: passes ? "good" : "bad" }, ...words(verdict)), element("ol", { className: "script" }, ...lines));
    }
  }

  const box = one("#derive");
  if (box) {
    const run = deriving(box);
    for (const link of all("[data-derive]")) link.addEventListener("click", () => {
      for (let at = box; at; at = at.parentElement) if (at.localName === "details") at.open = true;
      if (!isDisk) run(published);
    });
  }
  const form = one("#own");
  if (form) scoring(form);
})();
