// Runs static/module.js as a page does, for tests: each line of stdin is a request, each line of stdout
// its answer. `{root, config, board, configName, boardName, now}` checks a board below `root`;
// `{script, prompt}` scores a script. Needs node 18 or newer.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const zlib = require("node:zlib");

const MOST = 64 << 20;
const text = fs.readFileSync(path.join(__dirname, "../../static/module.js"), "utf8");
const bytes = zlib.gunzipSync(Buffer.from(/"([^"]+)"/.exec(text)[1], "base64"));
const load = () => new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
let core = load(), answered = 0;

function call(operation, given, ...numbers) {
  for (const it of given) {
    if (it === null) {
      core.absent();
      continue;
    }
    const bytes = Buffer.from(it);
    // Memory may move when it grows.
    const at = core.put(bytes.length) >>> 0;
    new Uint8Array(core.memory.buffer, at, bytes.length).set(bytes);
  }
  core[operation](...numbers);
  const at = core.answer() >>> 0;
  return JSON.parse(Buffer.from(core.memory.buffer, at, core.answer_len() >>> 0).toString());
}

// A file as a browser could be given it; `null` if it is absent.
function read(file) {
  let stat;
  try { stat = fs.lstatSync(file); } catch { return null; }
  if (!stat.isFile() || stat.size > MOST) throw new Error("not a plain file");
  return fs.readFileSync(file);
}

function verify({ root, config = "seeds.json", board = "leaderboard/leaderboard.json", configName = config, boardName = board, now = new Date().toISOString() }) {
  const [configBytes, boardBytes] = [read(path.join(root, config)), read(path.join(root, board))];
  if (!configBytes || !boardBytes) throw new Error("no config or board");
  const opened = call("open", [configName, configBytes, boardName, boardBytes, null]);
  if (opened.failures) return { answer: "unusable", findings: [], notes: [], failures: opened.failures };
  // As from a folder that was dropped: what is there, files of bundles apart.
  const below = (dir) => fs.existsSync(path.join(root, dir)) ? fs.readdirSync(path.join(root, dir), { recursive: true }).map((name) => dir + "/" + name) : [];
  const there = (names) => names.flatMap((name) => {
    const bytes = fs.statSync(path.join(root, name), { throwIfNoEntry: false })?.isDirectory() ? null : read(path.join(root, name));
    return bytes ? [name, bytes] : [];
  });
  const beside = ["history.jsonl", "history.checkpoints", "weekly.json", "leaderboard.seal.json", "leaderboard.seal.json.minisig"].map((name) => "leaderboard/" + name);
  const { wanted } = call("beside", there([...beside, ...below("leaderboard/boards")]), 1);
  for (const name of wanted) call("others", there([name]));
  let replaying = 0;
  opened.seeds.forEach((seed, at) => {
    const files = (dir, names) => names.map((name) => dir ? read(path.join(root, dir, name)) : null);
    if (!fs.existsSync(path.join(root, seed.public))) return;
    const given = [...files(seed.public, ["prompts.json", "completions.json", "judge.json"]), ...files(seed.lift, ["prompts.json", "trajectory.json", "verdicts.json"])];
    const start = process.hrtime.bigint();
    call("replay", given, at, 0);
    replaying += Number(process.hrtime.bigint() - start) / 1e6;
  });
  const start = process.hrtime.bigint();
  const verdict = call("finish", [now]);
  verdict.milliseconds = replaying + Number(process.hrtime.bigint() - start) / 1e6;
  verdict.memory = core.memory.buffer.byteLength;
  return verdict;
}

require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  // What a session keeps for good is small, but there are thousands.
  if (++answered % 100 === 0) core = load();
  let answer;
  try {
    answer = "script" in request ? call("score", [request.prompt ?? null, request.script]) : verify(request);
  } catch (error) {
    answer = { unfit: String(error.message) };
    core = load();
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
