// What is wrong with the page that is open: overflow, small letters, weak contrast, covered labels.
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
