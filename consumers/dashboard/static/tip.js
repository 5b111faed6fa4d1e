// One-line explanations, shown while a name is hovered or focused, or they are hovered themselves; Escape hides them.
// In lists of mails they would lie over the next mail's buttons, so those have titles.

import { byId, el } from "./dom.js";

const GAP = 8;
/** @type {Element | null} the explained element */
let explained = null;

/**
 * A name with an explanation.
 * @param {string} text
 * @param {string | undefined} explanation undefined: only the text
 */
export function term(text, explanation) {
  if (!explanation) return el("span", {}, text);
  return el("button", { type: "button", class: "term", "data-tip": explanation }, text);
}

export function startTips() {
  document.addEventListener("pointerover", (event) => showFor(event.target));
  document.addEventListener("focusin", (event) => showFor(event.target));
  document.addEventListener("focusout", hide);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
  addEventListener("scroll", follow, { passive: true, capture: true });
}

/** @param {EventTarget | null} target */
function showFor(target) {
  const owner = target instanceof Element ? target.closest("[data-tip], #tip") : null;
  if (owner === explained || owner?.id === "tip") return;
  if (!owner && explained?.matches(":focus-visible")) return; // scrolling moves other things below a pointer at rest
  hide();
  if (!(owner instanceof Element)) return;
  explained = owner;
  const box = byId("tip");
  box.textContent = owner.getAttribute("data-tip");
  box.hidden = false;
  owner.setAttribute("aria-describedby", "tip");
  place(box, owner);
}

/**
 * Put the explanation below the explained element, or above it if there is no room.
 * @param {HTMLElement} box
 * @param {Element} owner
 */
function place(box, owner) {
  const { left, top, bottom } = owner.getBoundingClientRect();
  const most = document.documentElement.clientWidth - box.offsetWidth - GAP;
  const above = bottom + GAP + box.offsetHeight > innerHeight;
  box.style.left = `${Math.max(GAP, Math.min(left, most))}px`;
  box.style.top = `${above ? Math.max(GAP, top - GAP - box.offsetHeight) : bottom + GAP}px`;
}

/** The pointer is soon on something else; but a browser scrolls to what gets the focus. */
function follow() {
  if (explained?.contains(document.activeElement)) place(byId("tip"), explained);
  else hide();
}

function hide() {
  explained?.removeAttribute("aria-describedby");
  explained = null;
  byId("tip").hidden = true;
}
