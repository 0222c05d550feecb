// Compresses a file with Zopfli into a plain gzip stream: a twentieth smaller than `gzip -9`.
//
//   node pack.cjs FILE OUT.gz     with the package @gfx/zopfli in NODE_PATH
"use strict";
const fs = require("node:fs");
const zlib = require("node:zlib");
const { gzip } = require("@gfx/zopfli");
const [from, to] = process.argv.slice(2);
const bytes = fs.readFileSync(from);
gzip(bytes, { numiterations: 15 }, (error, packed) => {
  if (error) throw error;
  if (!zlib.gunzipSync(packed).equals(bytes)) throw new Error("the packed file does not unpack to the same bytes");
  fs.writeFileSync(to, packed);
});
