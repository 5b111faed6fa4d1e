// Charts in SVG: axes, lines, dots, bars, marks, and the values at the pointer.

import { frameOf, xAxis, yAxis } from "./chart_axes.js";
import { el, svg } from "./dom.js";
import { term } from "./tip.js";

/** @import { Axis, Frame } from "./chart_axes.js" */
/** @typedef {{x: number, y: number | null, radius?: number, wide?: number}} Point `y` null interrupts the line; `wide` is the width of a bar around `x` */
/** @typedef {{name: string, explained?: string, kind?: "line" | "dots" | "bars", tone: string, points: Point[]}} Series `tone` is a CSS class */
/**
 * @typedef {object} Chart
 * @property {Series[]} series
 * @property {Axis} x
 * @property {Axis} y
 * @property {{x: number, text: string}[]} [marks]
 * @property {string} summary text alternative
 * @property {boolean} [readout] show the values at the pointer; on unless false
 * @property {boolean} [steps] lines keep their value until the next point
 */
/** @type {WeakMap<HTMLElement, number>} position of the pointer in each chart, so that a redrawn chart shows it again */
const pointers = new WeakMap();

/**
 * Draw a chart, replacing the content of `holder`.
 * @param {HTMLElement} holder
 * @param {Chart} chart
 */
export function draw(holder, chart) {
  const { series, x, y, marks = [] } = chart;
  const width = holder.clientWidth || 600;
  const height = holder.clientHeight || 240;
  const frame = frameOf(width, height, x, y);
  const viewBox = `0 0 ${width} ${height}`;
  const drawing = svg("svg", { width, height, viewBox, role: "img", "aria-label": chart.summary });
  drawing.append(
    ...yAxis(y, frame),
    ...xAxis(x, frame),
    ...marks.filter((mark) => mark.x >= x.low && mark.x <= x.high).map((mark) => markAt(mark, frame)),
    ...series.flatMap((one) => shapes(one, frame, chart.steps ?? false)));
  holder.replaceChildren(drawing);
  if (chart.readout !== false) followPointer(holder, drawing, chart, frame);
}

/**
 * @param {{x: number, text: string}} mark
 * @param {Frame} frame
 */
function markAt({ x, text }, { px, top, bottom }) {
  return svg("g", { class: "mark" },
    svg("title", {}, text),
    svg("line", { x1: px(x), x2: px(x), y1: top, y2: bottom }),
    svg("path", { d: `M${px(x) - 5} ${top - 4}h10l-5 8z` }));
}

/**
 * @param {Series} series
 * @param {Frame} frame
 * @param {boolean} steps
 * @returns {SVGElement[]}
 */
function shapes({ kind, tone, points }, frame, steps) {
  if (kind === "bars") return points.map((point) => bar(point, tone, frame));
  if (kind !== "dots") {
    const alone = points.filter((_, i) => (points[i - 1]?.y ?? null) === null && (points[i + 1]?.y ?? null) === null);
    return [
      svg("path", { class: `line ${tone}`, d: linePath(points, frame, steps) }),
      ...alone.filter(({ y }) => y !== null).map((point) => // a line of length 0, drawn as a dot by its round ends
        svg("path", { class: `line ${tone} alone`, d: `${linePath([point], frame, steps)}h0` })),
    ];
  }
  return points.map(({ x, y, radius }) =>
    svg("circle", { class: `dot ${tone}`, cx: frame.px(x), cy: frame.py(y ?? 0), r: radius ?? 4 }));
}

/**
 * @param {Point} point
 * @param {string} tone
 * @param {Frame} frame
 */
function bar({ x, y, wide = 0 }, tone, { px, py, bottom }) {
  const left = px(x - wide / 2);
  const top = py(y ?? 0);
  return svg("rect", { class: `column ${tone}`, x: left, y: top, width: px(x + wide / 2) - left, height: bottom - top });
}

/**
 * @param {Point[]} points
 * @param {Frame} frame
 * @param {boolean} steps
 */
function linePath(points, { px, py }, steps) {
  let path = "";
  let command = "M";
  for (const { x, y } of points) {
    if (y === null) {
      command = "M";
      continue;
    }
    if (steps && command === "L") path += `H${px(x).toFixed(1)}`;
    path += `${command}${px(x).toFixed(1)} ${py(y).toFixed(1)}`;
    command = "L";
  }
  return path;
}

/**
 * Show the values of all lines at the pointer.
 * @param {HTMLElement} holder
 * @param {SVGSVGElement} drawing
 * @param {Chart} chart
 * @param {Frame} frame
 */
function followPointer(holder, drawing, { series, x, y }, { width, left, right, top, bottom, px }) {
  const cursor = svg("line", { class: "cursor", y1: top, y2: bottom, visibility: "hidden" });
  const box = el("div", { class: "readout", hidden: true });
  drawing.append(cursor);
  holder.append(box);
  const lines = series.filter((one) => one.kind !== "dots" && one.points.length);
  const show = (/** @type {number} */ clientX) => {
    const share = (clientX - drawing.getBoundingClientRect().left - left) / (right - left);
    if (!lines.length) return;
    const at = nearest(lines[0].points, x.low + share * (x.high - x.low)).x;
    cursor.setAttribute("x1", String(px(at)));
    cursor.setAttribute("x2", String(px(at)));
    cursor.setAttribute("visibility", "visible");
    box.replaceChildren(el("b", {}, (x.showLong ?? x.show)(at)), ...lines.map((one) => {
      const value = nearest(one.points, at).y;
      return el("div", {}, el("i", { class: `swatch ${one.tone}` }), `${one.name} `,
        el("b", {}, value === null ? "–" : (y.showLong ?? y.show)(value)));
    }));
    box.hidden = false;
    const after = px(at) + 12;
    const fits = after + box.offsetWidth + 4 <= width;
    box.style.left = `${fits ? Math.max(after, 0) : px(at) - box.offsetWidth - 12}px`;
  };
  const pointer = pointers.get(holder);
  if (pointer !== undefined) show(pointer);
  holder.onpointermove = (event) => { pointers.set(holder, event.clientX); show(event.clientX); };
  holder.onpointerleave = () => { pointers.delete(holder); box.hidden = true; cursor.setAttribute("visibility", "hidden"); };
}

/**
 * The point closest to a value; the points' `x` must be ascending.
 * @param {Point[]} points
 * @param {number} value
 */
function nearest(points, value) {
  let low = 0;
  let high = points.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (points[middle].x < value) low = middle; else high = middle;
  }
  return Math.abs(points[low].x - value) <= Math.abs(points[high].x - value) ? points[low] : points[high];
}

/**
 * A legend: a row of swatches with the names of the lines, and what those with unfamiliar names mean.
 * @param {Series[]} series
 */
export function legend(series) {
  return el("div", { class: "legend" },
    series.map((one) => el("span", {}, el("i", { class: `swatch ${one.tone}` }), term(one.name, one.explained))));
}
