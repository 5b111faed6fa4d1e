// Line charts in SVG: axes, lines, dots, marks, and a readout at the pointer.

import { el, svg } from "./dom.js";

const PAD = { left: 46, right: 12, top: 10, bottom: 26 };

/** Round steps between `low` and `high`, about `wanted` of them. */
export function ticks(low, high, wanted) {
  const raw = (high - low) / wanted || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= raw * 0.999);
  const found = [];
  for (let value = Math.ceil(low / step - 1e-9) * step; value <= high + step * 1e-9; value += step) {
    found.push(Math.abs(value) < step * 1e-9 ? 0 : value);
  }
  return found;
}

/**
 * Draw into `holder`. `series`: {name, kind: "line" | "dots", tone, dash, points: [[x, y, size?]]}; y null breaks a line.
 * `x`, `y`: {low, high, show(value), title}. `marks`: {x, text}. `summary` is read to those who cannot see.
 */
export function draw(holder, { series, x, y, marks = [], summary, readout = true, steps = false }) {
  const width = holder.clientWidth || 600;
  const height = holder.clientHeight || 240;
  const inner = { width: width - PAD.left - PAD.right, height: height - PAD.top - PAD.bottom };
  const px = (value) => PAD.left + ((value - x.low) / (x.high - x.low || 1)) * inner.width;
  const py = (value) => PAD.top + (1 - (value - y.low) / (y.high - y.low || 1)) * inner.height;
  const drawing = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": summary });

  for (const value of y.ticks || ticks(y.low, y.high, Math.max(2, inner.height / 38))) {
    drawing.append(
      svg("line", { class: "grid", x1: PAD.left, x2: width - PAD.right, y1: py(value), y2: py(value) }),
      svg("text", { class: "tick", x: PAD.left - 7, y: py(value) + 4, "text-anchor": "end" }, y.show(value)));
  }
  for (const value of x.ticks || ticks(x.low, x.high, Math.max(2, inner.width / 90))) {
    drawing.append(svg("text", { class: "tick", x: px(value), y: height - 8, "text-anchor": anchor(px(value), width) }, x.show(value)));
  }
  if (x.title) drawing.append(svg("text", { class: "tick", x: width - PAD.right, y: height - PAD.bottom - 6, "text-anchor": "end" }, `${x.title} →`));
  for (const mark of marks.filter((m) => m.x >= x.low && m.x <= x.high)) {
    drawing.append(svg("g", { class: "mark" }, svg("title", {}, mark.text),
      svg("line", { x1: px(mark.x), x2: px(mark.x), y1: PAD.top, y2: height - PAD.bottom }),
      svg("path", { d: `M${px(mark.x) - 5} ${PAD.top - 4}h10l-5 8z` })));
  }
  for (const one of series) {
    if (one.kind === "dots") {
      for (const [at, value, size] of one.points) {
        drawing.append(svg("circle", { class: `dot ${one.tone}`, cx: px(at), cy: py(value), r: size || 4 }));
      }
    } else {
      drawing.append(svg("path", { class: `line ${one.tone}`, d: path(one.points, px, py, steps) }));
    }
  }
  holder.replaceChildren(drawing);
  if (readout) followPointer(holder, drawing, { series, x, y, px, width, height });
}

function anchor(at, width) {
  return at > width - 40 ? "end" : at < PAD.left + 10 ? "start" : "middle";
}

function path(points, px, py, steps) {
  let line = "";
  let pen = "M";
  for (const [at, value] of points) {
    if (value === null) { pen = "M"; continue; }
    if (steps && pen === "L") line += `H${px(at).toFixed(1)}`;
    line += `${pen}${px(at).toFixed(1)} ${py(value).toFixed(1)}`;
    pen = "L";
  }
  return line;
}

function followPointer(holder, drawing, { series, x, y, px, width, height }) {
  const line = svg("line", { class: "cursor", y1: PAD.top, y2: height - PAD.bottom, visibility: "hidden" });
  const box = el("div", { class: "readout", hidden: true });
  drawing.append(line);
  holder.append(box);
  const lines = series.filter((one) => one.kind !== "dots" && one.points.length);
  const show = (clientX) => {
    const value = x.low + ((clientX - drawing.getBoundingClientRect().left - PAD.left) / (width - PAD.left - PAD.right)) * (x.high - x.low);
    const main = lines[0] && nearest(lines[0].points, value);
    if (!main) return;
    line.setAttribute("x1", px(main[0]));
    line.setAttribute("x2", px(main[0]));
    line.setAttribute("visibility", "visible");
    box.replaceChildren(el("b", {}, (x.long || x.show)(main[0])), ...lines.map((one) => {
      const point = nearest(one.points, main[0]);
      return el("div", {}, el("i", { class: `swatch ${one.tone}` }), `${one.name} `,
        el("b", {}, point[1] === null ? "–" : (y.long || y.show)(point[1])));
    }));
    box.hidden = false;
    box.style.left = `${Math.min(Math.max(px(main[0]) + 12, 0), width - box.offsetWidth - 4)}px`;
    if (px(main[0]) + box.offsetWidth + 16 > width) box.style.left = `${px(main[0]) - box.offsetWidth - 12}px`;
  };
  if (holder.pointerAt) show(holder.pointerAt);
  holder.onpointermove = (event) => { holder.pointerAt = event.clientX; show(event.clientX); };
  holder.onpointerleave = () => { holder.pointerAt = null; box.hidden = true; line.setAttribute("visibility", "hidden"); };
}

function nearest(points, value) {
  let low = 0;
  let high = points.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (points[middle][0] < value) low = middle; else high = middle;
  }
  return Math.abs(points[low][0] - value) <= Math.abs(points[high][0] - value) ? points[low] : points[high];
}

/** A row of swatches that name the lines. */
export function legend(series) {
  return el("div", { class: "legend" }, series.map((one) => el("span", {}, el("i", { class: `swatch ${one.tone}` }), one.name)));
}
