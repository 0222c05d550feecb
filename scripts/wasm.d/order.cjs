// Puts similar functions of a WebAssembly module next to each other, so that gzip, which looks back
// 32 kB, finds what they have in common.
//
//   node order.cjs IN.wasm OUT.wasm
//
// Writes the module with a name for each function: its place in the new order. After that,
// `wasm-opt --reorder-functions-by-name` moves the functions.
"use strict";
const fs = require("node:fs");
const [from, to] = process.argv.slice(2);
const bytes = fs.readFileSync(from);

function number(at) {
  let value = 0, shift = 0;
  for (;;) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    shift += 7;
    if (byte < 128) return [value, at];
  }
}
const written = (value) => {
  const out = [];
  for (; value > 127; value = Math.floor(value / 128)) out.push((value & 127) | 128);
  return Buffer.from([...out, value]);
};
const sized = (content) => Buffer.concat([written(content.length), content]);

// Sections without names, the bodies of functions, and how many functions are imported.
const kept = [bytes.subarray(0, 8)], bodies = [];
let imported = 0;
for (let at = 8; at < bytes.length;) {
  const start = at, id = bytes[at];
  const [length, content] = number(at + 1);
  at = content + length;
  if (id === 2 && number(content)[0] > 0) throw new Error("a module without imports is expected");
  if (id === 10) {
    let [count, next] = number(content);
    for (; count > 0; count--) {
      const [size, body] = number(next);
      bodies.push(bytes.subarray(body, body + size));
      next = body + size;
    }
  }
  if (id !== 0) kept.push(bytes.subarray(start, at));
}

// Each function as the set of its runs of LENGTH bytes.
const LENGTH = 6;
const holders = new Map();
const parts = bodies.map((body, index) => {
  const own = new Set();
  for (let at = 0; at + LENGTH <= body.length; at++) own.add(body.toString("latin1", at, at + LENGTH));
  for (const part of own) holders.has(part) ? holders.get(part).push(index) : holders.set(part, [index]);
  return own;
});

// Greedy: next is the function that shares most of its runs with the last one.
const left = new Set(bodies.keys());
const order = [];
let last = 0;
for (const index of left) if (bodies[index].length > bodies[last].length) last = index;
for (;;) {
  order.push(last);
  left.delete(last);
  if (left.size === 0) break;
  const common = new Map();
  for (const part of parts[last]) {
    const others = holders.get(part);
    // What most functions have says nothing.
    if (others.length > 200) continue;
    for (const other of others) if (left.has(other)) common.set(other, (common.get(other) || 0) + 1);
  }
  let best = Math.min(...left), most = 0;
  for (const [index, count] of common) {
    const share = count / (parts[index].size + parts[last].size);
    if (share > most || (share === most && index < best)) [best, most] = [index, share];
  }
  last = best;
}

const places = [];
order.forEach((index, place) => { places[imported + index] = place; });
const names = places.map((place, index) => Buffer.concat([written(index), sized(Buffer.from("f" + String(place).padStart(6, "0")))]));
const map = Buffer.concat([written(names.length), ...names]);
const section = Buffer.concat([sized(Buffer.from("name")), Buffer.from([1]), sized(map)]);
fs.writeFileSync(to, Buffer.concat([...kept, Buffer.from([0]), sized(section)]));
