// What sticks out of the page or its card, and which texts overlap; a function for a page in a browser.
() => {
  const wrong = [];
  const name = (node) => `${node.localName}#${node.id}.${[...node.classList].join(".")} "${node.textContent.trim().slice(0, 30)}"`;
  const seen = (node) => node.checkVisibility({ visibilityProperty: true }) && node.getClientRects().length;
  const wide = document.documentElement.clientWidth;
  const inScroll = (node) => node.closest(".scroll, .menu, .why, svg, .skip, .hidden");
  for (const node of document.querySelectorAll("header *, main *, #health *")) {
    if (!seen(node) || inScroll(node)) continue;
    const box = node.getBoundingClientRect();
    if (box.right > wide + 1 || box.left < -1) wrong.push(`sticks out of the page: ${name(node)}`);
    const card = node.closest(".card, .tile");
    if (card && card !== node && box.right > card.getBoundingClientRect().right + 1) wrong.push(`sticks out of its card: ${name(node)}`);
  }
  const texts = [...document.querySelectorAll("main *, header *")].filter((node) => seen(node) &&
    !node.closest(".hidden, .skip") && !node.matches("option") &&
    [...node.childNodes].some((child) => child.nodeType === 3 && child.nodeValue.trim()));
  // A text of several lines has one box a line; what a box does not show of it is cut off. Texts of inner nodes are theirs.
  const lines = (node) => [...node.childNodes].filter((child) => child.nodeType === 3).flatMap((text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return [...range.getClientRects()].map((box) => clip(node, box));
  });
  const clip = (node, line) => {
    let box = line;
    for (let at = node; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const own = at.getBoundingClientRect();
      box = { left: Math.max(box.left, own.left), right: Math.min(box.right, own.right),
        top: Math.max(box.top, own.top), bottom: Math.min(box.bottom, own.bottom) };
    }
    return box;
  };
  const boxes = texts.flatMap((node) => lines(node).map((box) => ({ node, box, fixed: node.closest("header") !== null })));
  for (const [index, a] of boxes.entries()) {
    for (const b of boxes.slice(index + 1)) {
      if (a.node.contains(b.node) || b.node.contains(a.node) || a.fixed !== b.fixed) continue;
      const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (across > 2 && down > 4) wrong.push(`overlap: ${name(a.node)} and ${name(b.node)}`);
    }
  }
  if (document.documentElement.scrollWidth > wide) wrong.push(`the page is ${document.documentElement.scrollWidth} wide`);
  return [...new Set(wrong)];
}
