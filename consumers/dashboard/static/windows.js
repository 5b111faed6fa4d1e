// The window that the figures cover: chosen on one page, kept in its address, and the same on all pages.

import { keepingPlace, segments } from "./dom.js";
import { address, onRoute, route, setQuery } from "./router.js";
import { constants } from "./store.js";

let chosen = "";
/** @type {(() => void)[]} */
const listeners = [];

export function startWindows() {
  onRoute(followAddress);
  followAddress();
}

/**
 * Call `listener` when another window is chosen on the current page.
 * @param {() => void} listener
 */
export function onWindow(listener) {
  listeners.push(listener);
}

/** The name of the chosen window. */
export const chosenWindow = () => chosen;

/**
 * @param {string} name name of a window
 * @returns {string} its title
 */
export const windowTitle = (name) => constants().windows.find((spec) => spec.name === name)?.title ?? name;

/** @returns {NodeListOf<HTMLElement>} the controls for choosing a window, one on each page that has windows */
const holders = () => document.querySelectorAll(".windows");

function followAddress() {
  const { windows, default_window } = constants();
  const wanted = route.query.get("window");
  const name = windows.some((spec) => spec.name === wanted) ? String(wanted) : default_window;
  if (![...holders()].some((holder) => holder.closest("section")?.id === route.page) || name === chosen) return;
  chosen = name;
  show();
}

function show() {
  /** @type {[string, string][]} */
  const choices = constants().windows.map((spec) => [spec.name, spec.title]);
  for (const holder of holders()) {
    keepingPlace(holder, () => segments(holder, choices, chosen, choose));
    const page = holder.closest("section")?.id ?? "";
    const query = { window: chosen === constants().default_window ? "" : chosen };
    document.querySelector(`nav a[data-page="${page}"]`)?.setAttribute("href", address(page, query));
  }
}

/** @param {string} name */
function choose(name) {
  chosen = name;
  setQuery({ window: name === constants().default_window ? "" : name });
  show();
  for (const listener of listeners) listener();
}
