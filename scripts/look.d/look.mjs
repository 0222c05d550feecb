// Measures and photographs the boards that scripts/look rendered. Arguments: folder, browser.
import { chromium } from "playwright-core";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";

const [out, executablePath] = process.argv.slice(2);
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath, args: flags });
const lines = [];
let faults = 0;
const widths = [1440, 1000, 768, 390, 320];

/** One page of each kind, below a site's folder. */
function kinds(site) {
  const first = (folder) => (existsSync(`${site}/${folder}`) ? [`${folder}/${readdirSync(`${site}/${folder}`).filter((name) => name.endsWith(".html")).sort()[0]}`] : []);
  // 404.html has its styles only from a host, at any path.
  const pages = readdirSync(site).filter((name) => name.endsWith(".html") && name !== "404.html" && !/-\d+\.html$/.test(name));
  return [...pages, ...first("m"), ...first("p"), ...first("packs")];
}

// What is wrong with the page that is open; the tests ask the same.
const faultsOf = `(${readFileSync(new URL("faults.js", import.meta.url), "utf8")})()`;

const pictures = [];
for (const rows of [1, 3, 30, 1000]) {
  const site = `${out}/board-${rows}/board/site`;
  for (const theme of ["light", "dark"]) {
    for (const width of widths) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme });
      const page = await context.newPage();
      for (const path of kinds(site)) {
        await page.goto(`file://${site}/${path}`);
        const bad = await page.evaluate(faultsOf);
        faults += bad.length;
        lines.push(`${rows} rows, ${path}, ${width}, ${theme}: ${bad.length ? bad.join("; ") : "good"}`);
        const kind = path.includes("/") ? path.split("/")[0] : path.replace(".html", "");
        const wanted = ["index", "m", "p", "prompts", "compare", "trends"].includes(kind) || rows === 30;
        if (wanted && rows !== 1000 && ((theme === "light" && [1440, 1000, 390].includes(width)) || (theme === "dark" && width === 1440 && kind === "index"))) {
          const name = `${rows}-${kind}-${width}-${theme}.png`;
          await page.screenshot({ path: `${out}/${name}`, fullPage: width === 1440 || width === 390 });
          pictures.push(name);
        }
      }
      await context.close();
    }
  }
}
writeFileSync(`${out}/measured.txt`, lines.join("\n") + "\n");

// Contact sheets, twelve pictures each.
for (let at = 0; at * 12 < pictures.length; at++) {
  const part = pictures.slice(at * 12, at * 12 + 12);
  const html = `<body style="margin:8px;font:12px sans-serif;display:grid;grid-template-columns:repeat(4,1fr);gap:8px">${part.map((name) => `<figure style="margin:0"><figcaption>${name}</figcaption><img src="file://${out}/${name}" style="width:100%;max-height:520px;object-fit:contain;object-position:top left;border:1px solid #888"></figure>`).join("")}</body>`;
  writeFileSync(`${out}/sheet.html`, html);
  const page = await browser.newPage({ viewport: { width: 1800, height: 1700 } });
  await page.goto(`file://${out}/sheet.html`);
  await page.screenshot({ path: `${out}/sheet-${at + 1}.png`, fullPage: true });
  await page.close();
}
await browser.close();
console.log(`${lines.length} pages measured, ${faults} faults; ${pictures.length} pictures in ${out}`);
process.exitCode = faults ? 1 : 0;
