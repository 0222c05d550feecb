// Measures and photographs the boards that scripts/look rendered. Arguments: folder, browser.
import { chromium } from "playwright-core";
import { existsSync, readdirSync, writeFileSync } from "node:fs";

const [out, executablePath] = process.argv.slice(2);
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath, args: flags });
const lines = [];
let faults = 0;
const widths = [1440, 1000, 768, 390, 320];

/** One page of each kind, below a site's folder. */
function kinds(site) {
  const first = (folder) => (existsSync(`${site}/${folder}`) ? [`${folder}/${readdirSync(`${site}/${folder}`).filter((name) => name.endsWith(".html")).sort()[0]}`] : []);
  const pages = readdirSync(site).filter((name) => name.endsWith(".html") && !/-\d+\.html$/.test(name));
  return [...pages, ...first("m"), ...first("p"), ...first("packs")];
}

/** What is wrong with the page that is open. */
function faultsOf() {
  const bad = [];
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) bad.push(`overflow ${document.documentElement.scrollWidth - width} px`);
  const parse = (color) => {
    const parts = color.match(/[\d.]+/g).map(Number);
    const scaled = color.startsWith("color(") ? parts.map((part, at) => (at < 3 ? part * 255 : part)) : parts;
    return scaled.length === 3 ? [...scaled, 1] : scaled;
  };
  const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
  const light = ([r, g, b]) => {
    const part = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const behind = (element) => {
    const layers = [];
    for (let each = element; each; each = each.parentElement) layers.push(parse(getComputedStyle(each).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const told = new Set();
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.getClientRects().length || element.closest(".v, script, [hidden], title, desc")) continue;
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    const inDrawing = element.closest("svg");
    const shown = inDrawing && element.getScreenCTM ? size * element.getScreenCTM().a : size;
    const words = node.data.trim().slice(0, 24);
    if (shown < 11.9 && shown > 0 && !told.has("s" + element.className)) { told.add("s" + element.className); bad.push(`letters of ${shown.toFixed(1)} px: ${words}`); }
    const color = over(parse(inDrawing ? style.fill : style.color), behind(inDrawing ? inDrawing.parentElement : element));
    const [a, b] = [light(color), light(behind(inDrawing ? inDrawing.parentElement : element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5 && !told.has("c" + style.color + style.fill)) { told.add("c" + style.color + style.fill); bad.push(`contrast ${ratio.toFixed(2)}: ${words}`); }
  }
  const boxes = [...document.querySelectorAll(".labels text")].filter((each) => each.getClientRects().length).map((each) => [each.textContent, each.getBoundingClientRect()]);
  const dots = [...document.querySelectorAll(".plot a circle:not(.hit)")].map((each) => ["a point", each.getBoundingClientRect()]);
  const meet = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top + 2 < b.bottom - 2 && b.top + 2 < a.bottom - 2;
  boxes.forEach(([name, box], at) => { for (const [other, rect] of [...boxes.slice(at + 1), ...dots]) if (meet(box, rect)) bad.push(`${name} covers ${other}`); });
  return bad;
}

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
