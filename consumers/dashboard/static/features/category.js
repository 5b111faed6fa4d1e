// A category: the number of learned messages of each class with each value.

import { fullName, shortName } from "../class_names.js";
import { el, scrolling } from "../dom.js";
import { count, mailCount } from "../format.js";

/** @import { CategoryInfo } from "./feature_types.d.ts" */

const MOST_LEVEL = 3;

/**
 * @param {CategoryInfo} category
 * @param {string[]} classes
 */
export function categoryCard({ name, values, others }, classes) {
  const heads = classes.map((label) => el("th", { scope: "col", title: label }, el("bdi", {}, shortName(label))));
  const rows = values.map(({ value, counts }) => el("tr", {},
    el("th", { scope: "row", title: value }, el("bdi", {}, fullName(value))),
    classes.map((label) => el("td", {}, mailCount(counts[label] ?? 0)))));
  const upright = classes.length > MOST_LEVEL ? " upright" : "";
  return el("article", { class: "card", "data-category": name },
    el("h2", {}, el("bdi", {}, name)),
    el("p", { class: "small muted" }, "Category: messages learned with each value"),
    scrolling(`Values of ${name}`, el("table", { class: `terms${upright}` },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Value"), heads)),
      el("tbody", {}, rows))),
    others ? el("p", { class: "small muted" }, `${count(others)} rarer values are not listed.`) : null);
}
