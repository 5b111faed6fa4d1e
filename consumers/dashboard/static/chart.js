// Line charts in SVG: axes, lines, dots, marks, and the values at the pointer.

import { el, svg } from "./dom.js";

/** @typedef {{x: number, y: number | null, radius?: number}} Point `y` null breaks the line */
/** @typedef {{name: string, kind?: "line" | "dots", tone: string, points: Point[]}} Series `tone` is a CSS class */
/**
 * @typedef {object} Axis
 * @property {number} low
 * @property {number} high
 * @property {(value: number) => string} show
 * @property {(value: number) => string} [showLong] for the values at the pointer
 * @property {number[]} [ticks]
 * @property {string} [title]
 */
/**
 * @typedef {object} Chart
 * @property {Series[]} series
 * @property {Axis} x
 * @property {Axis} y
 * @property {{x: number, text: string}[]} [marks]
 * @property {string} summary for those who cannot see the chart
 * @property {boolean} [readout] show the values at the pointer; on unless false
 * @property {boolean} [steps] lines keep their value until the next point
 */
/** @typedef {{width: number, height: number, px: (value: number) => number, py: (value: number) => number}} Frame */

const PAD = { left: 46, right: 12, top: 10, bottom: 26 };

/**
 * Round steps between two values.
 * @param {number} low
 * @param {number} high
 * @param {number} wanted about how many
 */
export function ticks(low, high, wanted) {
  const raw = (high - low) / wanted || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= raw * 0.999) ?? 10 * power;
  const values = [];
  for (let value = Math.ceil(low / step - 1e-9) * step; value <= high + step * 1e-9; value += step) {
    values.push(Math.abs(value) < step * 1e-9 ? 0 : value);
  }
  return values;
}

const DAY_S = 86_400;
const TIME_STEPS_S = [5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, DAY_S, 7 * DAY_S, 30 * DAY_S];

/**
 * Round times between two.
 * @param {number} low in seconds since 1970
 * @param {number} high
 * @param {number} width of the chart in pixels
 */
export function timeTicks(low, high, width) {
  const wanted = Math.max(2, (width || 600) / 110);
  const step = TIME_STEPS_S.find((size) => (high - low) / size <= wanted) ?? 365 * DAY_S;
  const times = [];
  for (let time = Math.ceil(low / step) * step; time <= high; time += step) times.push(time);
  return times;
}

/** @type {WeakMap<HTMLElement, number>} where the pointer is in a chart, so that a chart drawn anew shows it again */
const pointers = new WeakMap();

/**
 * Draw a chart in place of what is in `holder`.
 * @param {HTMLElement} holder
 * @param {Chart} chart
 */
export function draw(holder, chart) {
  const { series, x, y, marks = [] } = chart;
  const width = holder.clientWidth || 600;
  const height = holder.clientHeight || 240;
  const inner = { width: width - PAD.left - PAD.right, height: height - PAD.top - PAD.bottom };
  /** @type {Frame} */
  const frame = {
    width,
    height,
    px: (value) => PAD.left + ((value - x.low) / (x.high - x.low || 1)) * inner.width,
    py: (value) => PAD.top + (1 - (value - y.low) / (y.high - y.low || 1)) * inner.height,
  };
  const viewBox = `0 0 ${width} ${height}`;
  const drawing = svg("svg", { width, height, viewBox, role: "img", "aria-label": chart.summary });
  drawing.append(
    ...yAxis(y, frame, y.ticks ?? ticks(y.low, y.high, Math.max(2, inner.height / 38))),
    ...xAxis(x, frame, x.ticks ?? ticks(x.low, x.high, Math.max(2, inner.width / 90))),
    ...marks.filter((mark) => mark.x >= x.low && mark.x <= x.high).map((mark) => markAt(frame.px(mark.x), mark.text, height)),
    ...series.flatMap((one) => shapes(one, frame, chart.steps ?? false)));
  holder.replaceChildren(drawing);
  if (chart.readout !== false) followPointer(holder, drawing, chart, frame);
}

/**
 * @param {Axis} axis
 * @param {Frame} frame
 * @param {number[]} values
 */
function yAxis(axis, { width, py }, values) {
  return values.flatMap((value) => [
    svg("line", { class: "grid", x1: PAD.left, x2: width - PAD.right, y1: py(value), y2: py(value) }),
    svg("text", { class: "tick", x: PAD.left - 7, y: py(value) + 4, "text-anchor": "end" }, axis.show(value)),
  ]);
}

/**
 * @param {Axis} axis
 * @param {Frame} frame
 * @param {number[]} values
 */
function xAxis(axis, { width, height, px }, values) {
  const texts = values.map((value) => {
    const x = px(value);
    const anchor = x > width - 40 ? "end" : x < PAD.left + 10 ? "start" : "middle";
    return svg("text", { class: "tick", x, y: height - 8, "text-anchor": anchor }, axis.show(value));
  });
  const titlePlace = { x: width - PAD.right, y: height - PAD.bottom - 6, "text-anchor": "end" };
  if (axis.title) texts.push(svg("text", { class: "tick", ...titlePlace }, `${axis.title} →`));
  return texts;
}

/**
 * @param {number} x
 * @param {string} text
 * @param {number} height
 */
function markAt(x, text, height) {
  return svg("g", { class: "mark" },
    svg("title", {}, text),
    svg("line", { x1: x, x2: x, y1: PAD.top, y2: height - PAD.bottom }),
    svg("path", { d: `M${x - 5} ${PAD.top - 4}h10l-5 8z` }));
}

/**
 * @param {Series} series
 * @param {Frame} frame
 * @param {boolean} steps
 * @returns {SVGElement[]}
 */
function shapes({ kind, tone, points }, frame, steps) {
  if (kind !== "dots") return [svg("path", { class: `line ${tone}`, d: linePath(points, frame, steps) })];
  return points.map(({ x, y, radius }) =>
    svg("circle", { class: `dot ${tone}`, cx: frame.px(x), cy: frame.py(y ?? 0), r: radius ?? 4 }));
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
 * Show the values of all lines where the pointer is.
 * @param {HTMLElement} holder
 * @param {SVGSVGElement} drawing
 * @param {Chart} chart
 * @param {Frame} frame
 */
function followPointer(holder, drawing, { series, x, y }, { width, height, px }) {
  const cursor = svg("line", { class: "cursor", y1: PAD.top, y2: height - PAD.bottom, visibility: "hidden" });
  const box = el("div", { class: "readout", hidden: true });
  drawing.append(cursor);
  holder.append(box);
  const lines = series.filter((one) => one.kind !== "dots" && one.points.length);
  const show = (/** @type {number} */ clientX) => {
    const share = (clientX - drawing.getBoundingClientRect().left - PAD.left) / (width - PAD.left - PAD.right);
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
    const right = px(at) + 12;
    const fits = right + box.offsetWidth + 4 <= width;
    box.style.left = `${fits ? Math.max(right, 0) : px(at) - box.offsetWidth - 12}px`;
  };
  const pointer = pointers.get(holder);
  if (pointer !== undefined) show(pointer);
  holder.onpointermove = (event) => { pointers.set(holder, event.clientX); show(event.clientX); };
  holder.onpointerleave = () => { pointers.delete(holder); box.hidden = true; cursor.setAttribute("visibility", "hidden"); };
}

/**
 * The point next to a value, of points whose `x` rises.
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
 * A row of swatches that name the lines.
 * @param {Series[]} series
 */
export function legend(series) {
  return el("div", { class: "legend" },
    series.map((one) => el("span", {}, el("i", { class: `swatch ${one.tone}` }), one.name)));
}
