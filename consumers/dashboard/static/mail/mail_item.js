// One mail of the list: its prediction, its subject, its label and how to label it.

import { labelNames, UNSURE } from "../classes.js";
import { el, svg } from "../dom.js";
import { ago, logOdds, moment, percent } from "../format.js";
import { GLOSSARY } from "../glossary.js";
import { placeKey, store } from "../store.js";
import { openClassMenu } from "./class_menu.js";
import { isOwn, pendingLabel, sendLabel, shownLabel } from "./labels.js";
import { rescored } from "./rescored.js";

/** @import { MailRow } from "../types.js" */

const MOST_BUTTONS = 2; // more classes are in a menu
const SCALE = 6; // log-odds from the threshold to either end of the gauge

/**
 * How much the score would have to change for another label.
 * @param {MailRow} row
 */
export const distance = (row) => row.margin ?? Math.abs(row.log_odds - row.threshold);

export class MailItem {
  #label = el("span");
  #rival = el("span", { class: "rival", "data-tip": GLOSSARY.Unsure });
  #probability = el("span", { class: "probability" });
  #gauge = el("span", { class: "gauge" });
  #sender = el("span", { class: "meta" });
  #date = el("time", { class: "date" });
  #age = el("span", { class: "age" });
  #state = el("span", { class: "state" });
  #buttons = el("span", { class: "buttons" });
  #built = "";

  /**
   * @param {MailRow} row
   * @param {(row: MailRow) => void} choose called with the mail when its subject is clicked
   */
  constructor(row, choose) {
    this.row = row;
    this.subject = el("button", { type: "button", class: "subject", onclick: () => choose(this.row) });
    this.element = el("li", { class: "mail", "data-place": placeKey(row.place) },
      el("span", { class: "score" }, el("span", { class: "said" }, this.#label, this.#rival), el("span", { class: "odds" }, this.#gauge, this.#probability)),
      el("span", { class: "text" }, el("bdi", {}, this.subject), el("bdi", {}, this.#sender)),
      el("span", { class: "when" }, this.#date, this.#age),
      el("span", { class: "given" }, this.#buttons, this.#state));
  }

  /**
   * Show the mail as it is now.
   * @param {MailRow} row
   */
  update(row) {
    this.row = row;
    const shown = shownLabel(row);
    this.element.classList.toggle("wrong", shown !== null && shown !== row.label);
    this.#showPrediction(row);
    this.subject.textContent = row.subject || "(no subject)";
    this.#sender.textContent = `${row.sender || "unknown sender"}${row.audit ? " · audit" : ""}`;
    this.#date.textContent = moment(row.arrived_at);
    this.#date.dateTime = new Date(1000 * row.arrived_at).toISOString();
    this.#age.textContent = ago(row.arrived_at);
    this.#state.replaceChildren(...labelState(row));
    this.#showButtons(shown);
  }

  /** @param {boolean} selected */
  select(selected) {
    this.element.classList.toggle("selected", selected);
  }

  /** @param {MailRow} row */
  #showPrediction(row) {
    const positive = store.view?.positive ?? "spam";
    const met = !store.view?.classes.length || store.view.classes.includes(positive);
    const unsure = distance(row) < UNSURE;
    const odds = `log-odds ${logOdds(row.log_odds)}, threshold ${logOdds(row.threshold)}`;
    this.#label.textContent = row.label ?? "unknown";
    this.#label.title = row.label ?? "";
    this.#label.className = `label ${row.label === positive ? "positive" : "negative"} ${unsure ? "unsure" : ""}`;
    this.#rival.textContent = unsure ? `or ${row.runner_up ?? "not"}?` : "";
    this.#probability.textContent = met ? `${percent(row.probability, 0)} ${positive}` : "";
    this.#probability.dataset.tip = odds;
    this.#probability.dataset.logOdds = String(row.log_odds);
    this.#gauge.replaceChildren(...(met ? [gauge(row)] : []));
  }

  /** @param {string | null} shown */
  #showButtons(shown) {
    const names = labelNames();
    const inMenu = names.length > MOST_BUTTONS;
    const offered = shown ?? this.row.label;
    const first = inMenu ? names.filter((name) => name === offered) : names;
    const built = JSON.stringify([first, inMenu, inMenu ? 0 : names]);
    if (built !== this.#built) {
      const focused = this.#buttons.contains(document.activeElement);
      this.#built = built;
      this.#buttons.replaceChildren(...first.map((name) => this.#button(name)), ...(inMenu ? [this.#menuButton()] : []), this.#withdrawButton());
      if (focused) this.#buttons.querySelector("button")?.focus();
    }
    for (const button of this.#buttons.querySelectorAll("button")) {
      if (button.dataset.label) button.setAttribute("aria-pressed", String(button.dataset.label === shown));
    }
    const withdraw = this.#buttons.querySelector("[data-withdraw]");
    if (!(withdraw instanceof HTMLButtonElement)) return;
    withdraw.hidden = shown === null && !isOwn(this.row);
    withdraw.textContent = isOwn(this.row) ? "withdraw" : "no label";
    withdraw.setAttribute("aria-label", isOwn(this.row) ? "Withdraw your label" : "This mail has no label");
  }

  /** @param {string} label */
  #button(label) {
    const onclick = () => sendLabel(this.row, label);
    return el("button", { type: "button", class: "class", "data-label": label, "aria-label": `This mail is ${label}`, onclick }, label);
  }

  #menuButton() {
    const onclick = (/** @type {MouseEvent} */ event) => {
      if (!(event.currentTarget instanceof HTMLElement)) return;
      openClassMenu(event.currentTarget, labelNames(), shownLabel(this.row), (name) => sendLabel(this.row, name));
    };
    return el("button", { type: "button", "aria-label": "Another class", "aria-haspopup": "dialog", title: "Another class", onclick }, "▾");
  }

  #withdrawButton() {
    return el("button", { type: "button", class: "quiet", "data-withdraw": true, onclick: () => sendLabel(this.row, null) });
  }
}

/**
 * Where the score is: the other classes on the left, the positive one on the right, the unsure band in the middle.
 * @param {MailRow} row
 */
function gauge({ log_odds, threshold }) {
  const place = 30 + 28 * Math.max(-1, Math.min(1, (log_odds - threshold) / SCALE));
  const half = (28 * UNSURE) / SCALE;
  return svg("svg", { width: 60, height: 12, viewBox: "0 0 60 12", "aria-hidden": "true" },
    svg("line", { class: "scale", x1: 1, x2: 59, y1: 6, y2: 6 }),
    svg("rect", { class: "band", x: 30 - half, y: 1, width: 2 * half, height: 10 }),
    svg("circle", { class: "at", cx: place, cy: 6, r: 4 }));
}

/**
 * What is known of a mail's label, and the log-odds before and after learning it.
 * @param {MailRow} row
 */
function labelState(row) {
  const pending = pendingLabel(row);
  if (pending !== undefined) {
    return [el("span", { class: "muted" }, pending === null ? "withdrawing…" : `${pending}: sending…`)];
  }
  const after = rescored(row);
  const both = after === null ? "" : `${logOdds(row.log_odds)} → ${logOdds(after)}`;
  const moved = both ? [el("span", { class: "moved", "data-tip": "Log-odds on arrival, and now" }, both)] : [];
  const source = row.source ? ` by ${row.source}` : "";
  if (row.true_label === null) {
    return source ? [el("span", { class: "muted" }, `no label${source}`), ...moved] : moved;
  }
  if (row.learned_label !== row.true_label) {
    return [el("span", { class: "muted" }, `${row.true_label}${source}, not learned yet`)];
  }
  return [el("span", { class: "learned" }, `✓ ${row.true_label}${source}, learned`), ...moved];
}
