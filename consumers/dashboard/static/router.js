// Which page is shown. The address determines it (`mail?show=errors`), so it can be bookmarked and the back button works.

import { byId } from "./dom.js";

const FIRST = "overview";

/** The current page and the query of its address. */
export const route = { page: FIRST, query: new URLSearchParams() };

/** @type {(() => void)[]} */
const listeners = [];

/** Show the page at the address, and handle links and the back button from now on. */
export function startRouter() {
  addEventListener("popstate", show);
  document.addEventListener("click", followLink);
  show();
}

/**
 * Call `listener` when another page is shown, or the same one with another query.
 * @param {() => void} listener
 */
export function onRoute(listener) {
  listeners.push(listener);
}

/**
 * Draw a part of a page when the page is shown, resized, or the returned function is called while it is shown.
 * @param {string} page
 * @param {() => void} draw
 * @returns {() => void} draws if the page is shown
 */
export function drawOn(page, draw) {
  const drawShown = () => { if (route.page === page) draw(); };
  let width = innerWidth;
  onRoute(drawShown);
  addEventListener("resize", () => {
    if (innerWidth !== width) drawShown();
    width = innerWidth;
  });
  return drawShown;
}

/**
 * The address of a page; parameters without a value are left out.
 * @param {string} page
 * @param {Record<string, string>} [query]
 */
export function address(page, query = {}) {
  const pairs = Object.entries(query).filter(([, value]) => value);
  const path = page === FIRST ? "./" : page;
  return pairs.length ? `${path}?${new URLSearchParams(pairs)}` : path;
}

/**
 * Change the query of the page's address in place, without a new history entry and without calling listeners.
 * @param {Record<string, string>} changed
 */
export function setQuery(changed) {
  history.replaceState(null, "", address(route.page, { ...Object.fromEntries(route.query), ...changed }));
  route.query = new URLSearchParams(location.search);
}

/**
 * Go to an address.
 * @param {string} target
 */
export function go(target) {
  const before = route.page;
  if (new URL(target, location.href).href !== location.href) history.pushState(null, "", target);
  show();
  if (route.page === before) return;
  scrollTo(0, 0);
  // So a screen reader reads the heading, and the next Tab moves below it.
  byId(route.page).querySelector("h1")?.focus({ preventScroll: true });
}

function navigationLinks() {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll("nav a");
  return [...links];
}

/** @param {HTMLAnchorElement} link */
const pageOf = (link) => link.dataset.page ?? FIRST;

/** @param {URL | Location} url */
const pageAt = (url) => url.pathname.split("/").at(-1) || FIRST;

function show() {
  const links = navigationLinks();
  route.page = links.map(pageOf).find((page) => page === pageAt(location)) ?? FIRST;
  route.query = new URLSearchParams(location.search);
  for (const link of links) {
    const shown = pageOf(link) === route.page;
    if (shown) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
    if (shown) document.title = `${link.textContent} · stream_nb`;
    byId(pageOf(link)).hidden = !shown;
  }
  for (const listener of listeners) listener();
}

/** @param {MouseEvent} event */
function followLink(event) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || link.target) return;
  const url = new URL(link.href, location.href);
  const folder = location.pathname.replace(/[^/]*$/, "");
  if (url.hash || url.origin !== location.origin || url.pathname.replace(/[^/]*$/, "") !== folder) return;
  if (!navigationLinks().some((one) => pageOf(one) === pageAt(url))) return;
  event.preventDefault();
  go(link.href);
}
