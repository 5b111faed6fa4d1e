// One mail of the list: its prediction, its subject, its label and the label buttons.

import { el } from "./dom.js";
import { ago, logOdds, percent } from "./format.js";
import { labelNames, pendingLabel, sendLabel, shownLabel } from "./labels.js";
import { rescored } from "./rescored.js";
import { placeKey, store } from "./store.js";

/** @import { MailRow } from "./types.js" */

/**
 * How far the log-odds are from the threshold.
 * @param {MailRow} row
 */
export const distance = (row) => Math.abs(row.log_odds - row.threshold);

export class MailItem {
  #label = el("span");
  #logOdds = el("span", { class: "log-odds" });
  #meta = el("span", { class: "meta" });
  #state = el("span", { class: "state" });
  #buttons = el("span", { class: "buttons" });
  /** @type {string[]} */
  #labelNames = [];

  /**
   * @param {MailRow} row
   * @param {(row: MailRow) => void} choose called with the mail when its subject is clicked
   */
  constructor(row, choose) {
    this.row = row;
    this.subject = el("button", { type: "button", class: "subject", onclick: () => choose(this.row) });
    this.element = el("li", { class: "mail", "data-place": placeKey(row.place) },
      el("span", { class: "score" }, this.#label, this.#logOdds),
      el("span", { class: "text" }, el("bdi", {}, this.subject), el("bdi", {}, this.#meta)),
      this.#state, this.#buttons);
  }

  /**
   * Show the mail as it is now.
   * @param {MailRow} row
   */
  update(row) {
    this.row = row;
    const shown = shownLabel(row);
    const side = row.label === store.view?.positive ? "positive" : "negative";
    this.element.classList.toggle("wrong", shown !== null && shown !== row.label);
    this.#label.textContent = row.label ?? "unknown";
    this.#label.className = `label ${side} ${distance(row) < 1 ? "unsure" : ""}`;
    this.#logOdds.textContent = logOdds(row.log_odds);
    this.#logOdds.title = `calibrated probability ${percent(row.probability)}`;
    this.subject.textContent = row.subject || "(no subject)";
    const audit = row.audit ? " · audit" : "";
    this.#meta.textContent = `${row.sender || "unknown sender"} · ${ago(row.arrived_at)}${audit}`;
    this.#state.replaceChildren(...labelState(row));
    this.#updateButtons(shown);
  }

  /** @param {boolean} selected */
  select(selected) {
    this.element.classList.toggle("selected", selected);
  }

  /** @param {string | null} shown */
  #updateButtons(shown) {
    const names = labelNames();
    if (names.join("\n") !== this.#labelNames.join("\n")) {
      this.#labelNames = names;
      this.#buttons.replaceChildren(...names.map((name) => this.#button(name)), this.#withdrawButton());
    }
    for (const button of this.#buttons.querySelectorAll("button")) {
      if (button.dataset.label) button.setAttribute("aria-pressed", String(button.dataset.label === shown));
      else button.hidden = shown === null;
    }
  }

  /** @param {string} label */
  #button(label) {
    const onclick = () => sendLabel(this.row, label);
    return el("button", { type: "button", "data-label": label, "aria-label": `This mail is ${label}`, onclick }, label);
  }

  #withdrawButton() {
    const onclick = () => sendLabel(this.row, null);
    const named = { "data-label": "", "aria-label": "This mail has no label" };
    return el("button", { type: "button", class: "quiet", ...named, onclick }, "withdraw");
  }
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
  const moved = both ? [el("span", { class: "moved", title: "log-odds on arrival, and now" }, both)] : [];
  if (row.true_label === null) return moved;
  const source = row.source ? ` by ${row.source}` : "";
  if (row.learned_label !== row.true_label) {
    return [el("span", { class: "muted" }, `${row.true_label}${source}, not learned yet`)];
  }
  return [el("span", { class: "learned" }, `✓ ${row.true_label}${source}, learned`), ...moved];
}
