// The label of one mail: the buttons that set and withdraw it, and its state.

import { fullName, shortName } from "../class_names.js";
import { hasOdds, labelNames } from "../classes.js";
import { el, morph } from "../dom.js";
import { logOdds } from "../format.js";
import { openClassMenu } from "./class_menu.js";
import { isOwn, pendingLabel, sendLabel, shownLabel } from "./labels.js";
import { isWatched, rescored } from "./rescored.js";

/** @import { MailRow } from "../types.d.ts" */

const MOST_BUTTONS = 2; // more classes are in a menu

export class LabelBox {
  #state = el("span", { class: "state" });
  #buttons = el("span", { class: "buttons" });
  #built = "";

  /**
   * @param {MailRow} row
   * @param {string | null} [best] the class whose button is shown if the prediction on arrival is none; without it, the
   *   likeliest one on arrival
   * @param {boolean} [withMenu] whether there is a menu beside two buttons, too, in which a new class can be named
   */
  constructor(row, best = null, withMenu = false) {
    this.row = row;
    this.best = best;
    this.withMenu = withMenu;
    this.element = el("span", { class: "given" }, this.#buttons, this.#state);
    this.update(row);
  }

  /**
   * Show the current label.
   * @param {MailRow} row
   */
  update(row) {
    this.row = row;
    if (isWatched(row)) this.#state.setAttribute("aria-live", "polite"); // announce the result to the person who labelled it here
    morph(this.#state, ...labelState(row));
    this.#showButtons(shownLabel(row));
  }

  /** @param {string | null} shown */
  #showButtons(shown) {
    const names = labelNames();
    const inMenu = names.length > MOST_BUTTONS;
    const menu = inMenu || this.withMenu ? [this.#menuButton()] : [];
    const offered = [shown ?? this.row.label, this.best, this.row.runner_up].find((name) => name !== null && names.includes(name));
    const first = inMenu ? names.filter((name) => name === offered) : names;
    const built = JSON.stringify([first, inMenu, inMenu ? 0 : names]);
    if (built !== this.#built) {
      const focused = this.#buttons.querySelector(":focus");
      this.#built = built;
      const classes = el("span", { class: "classes" }, first.map((name) => this.#button(name)));
      this.#buttons.replaceChildren(classes, ...menu, this.#withdrawButton());
      if (focused instanceof HTMLButtonElement) this.#focusLike(focused);
    }
    for (const button of this.#buttons.querySelectorAll("button")) {
      if (button.dataset.label) button.setAttribute("aria-pressed", String(button.dataset.label === shown));
    }
    const withdraw = this.#buttons.querySelector("[data-part=withdraw]");
    if (!(withdraw instanceof HTMLButtonElement)) return;
    withdraw.classList.toggle("nothing", shown === null && !isOwn(this.row));
    withdraw.textContent = isOwn(this.row) ? "withdraw" : "no label";
    withdraw.setAttribute("aria-label", isOwn(this.row) ? "Withdraw your label" : "This mail has no label");
  }

  /**
   * Focus the button with the same effect; if it is gone, the menu, so that the next key does not give another label.
   * @param {HTMLButtonElement} old
   */
  #focusLike({ dataset: { label, part } }) {
    const all = [...this.#buttons.querySelectorAll("button")];
    const same = all.find(({ dataset }) => dataset.label === label && dataset.part === part);
    (same ?? all.find(({ dataset }) => dataset.part === "menu"))?.focus();
  }

  /** @param {string} label */
  #button(label) {
    const onclick = () => sendLabel(this.row, label);
    return el("button", { type: "button", class: "class", dir: "auto", title: label, "data-label": label, "aria-label": `This mail is ${label}`, onclick }, shortName(label));
  }

  #menuButton() {
    const onclick = (/** @type {MouseEvent} */ event) => {
      if (!(event.currentTarget instanceof HTMLElement)) return;
      openClassMenu(event.currentTarget, labelNames(), shownLabel(this.row), (name) => sendLabel(this.row, name));
    };
    return el("button", { type: "button", "data-part": "menu", "aria-label": "Another class", "aria-haspopup": "dialog", title: "Another class", onclick }, "▾");
  }

  #withdrawButton() {
    return el("button", { type: "button", class: "quiet", "data-part": "withdraw", onclick: () => sendLabel(this.row, null) });
  }
}

/**
 * The state of a mail's label, and the log-odds before and after learning it.
 * @param {MailRow} row
 */
function labelState(row) {
  const pending = pendingLabel(row);
  if (pending !== undefined) {
    return [el("span", { class: "muted" }, pending === null ? "withdrawing…" : `${fullName(pending)}: sending…`)];
  }
  const after = rescored(row);
  const both = after === null || !hasOdds(row) ? "" : `${logOdds(row.log_odds)} → ${logOdds(after)}`;
  const moved = both ? [el("span", { class: "moved", title: "Log-odds on arrival, and now" }, both)] : [];
  if (row.true_label === null && row.silent && !row.source) return [said("muted", fullName(row.label ?? ""), "silence", ""), ...moved];
  if (row.true_label === null) return row.source ? [said("muted", "no label", row.source, ""), ...moved] : moved;
  if (row.learned_label !== row.true_label) return [said("muted", fullName(row.true_label), row.source, ", not learned yet")];
  if (row.capped) return [said("muted", fullName(row.true_label), row.source, ", not learned"), el("span", { class: "muted" }, "more labels an hour than allowed")];
  return [said("learned", `✓ ${fullName(row.true_label)}`, row.source, ", learned"), ...moved];
}

/**
 * A label and its source; a long name is cut, and no line begins with what follows it.
 * @param {string} kind
 * @param {string} label
 * @param {string} source
 * @param {string} then
 */
function said(kind, label, source, then) {
  const end = source
    ? [el("span", {}, " by "), el("span", { class: "by" }, el("bdi", { title: source }, source), el("span", {}, then))]
    : [el("span", {}, then)];
  return el("span", { class: kind }, el("span", {}, label), ...end);
}
