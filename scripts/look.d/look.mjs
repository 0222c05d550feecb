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
  return [...pages, ...["m", "p", "packs", "runs", "compare"].flatMap(first)];
}

// What is wrong with the page that is open; the tests ask the same.
const faultsOf = `(${readFileSync(new URL("faults.js", import.meta.url), "utf8")})()`;

// A Space shows the board in a sandboxed frame.
const sandbox = "allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-downloads allow-forms allow-modals";
writeFileSync(`${out}/frame.html`, `<body style="margin:0"><script>document.write('<iframe sandbox="${sandbox}" style="border:0;width:1000px;height:900px" src="' + decodeURIComponent(location.search.slice(1)) + '"></iframe>')</script>`);

/** Opens a page of a site, at 1000 in a frame; what is asked of the page is asked of what this returns. */
async function open(page, width, url) {
  if (width !== 1000) {
    await page.goto(url);
    return page;
  }
  await page.goto(`file://${out}/frame.html?${encodeURIComponent(url)}`);
  return page.frames()[1];
}

const pictures = [];
for (const rows of [1, 3, 30, 1000]) {
  const site = `${out}/board-${rows}/board/site`;
  for (const theme of ["light", "dark"]) {
    for (const width of widths) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme });
      const page = await context.newPage();
      for (const path of kinds(site)) {
        const shown = await open(page, width, `file://${site}/${path}`);
        const bad = await shown.evaluate(faultsOf);
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

// Every kind of page as a laptop shows it, light and dark, without script, printed, and a shared link in a frame.
const site = `${out}/board-30/board/site`;
async function photograph(name, path, options, fullPage = true) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  await page.goto(path);
  await page.waitForTimeout(200);
  await page.screenshot({ path: `${out}/${name}.png`, fullPage });
  pictures.push(`${name}.png`);
  await context.close();
}
for (const path of kinds(site)) {
  const kind = path.replace(".html", "").split("/")[0] + (path.includes("/") ? "-one" : "");
  await photograph(`laptop-${kind}`, `file://${site}/${path}`, {});
  if (["index", "m-one", "p-one", "verify", "trends"].includes(kind)) {
    await photograph(`laptop-dark-${kind}`, `file://${site}/${path}`, { colorScheme: "dark" });
    await photograph(`no-script-${kind}`, `file://${site}/${path}`, { javaScriptEnabled: false });
    const page = await browser.newPage();
    await page.goto(`file://${site}/${path}`);
    await page.pdf({ path: `${out}/print-${kind}.pdf`, format: "A4" });
    await page.close();
  }
}
const shared = `file://${out}/frame.html?${encodeURIComponent(`file://${site}/index.html?go=compare`)}`;
await photograph("shared-link-in-a-frame", shared, {}, false);
for (const rows of [1, 3]) await photograph(`laptop-${rows}-index`, `file://${out}/board-${rows}/board/site/index.html`, {});

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
