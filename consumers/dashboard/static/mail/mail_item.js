// One mail of the list: its prediction, subject, label and label buttons.

import { fullName, shortName } from "../class_names.js";
import { hasOdds, predictionTitle, UNSCORED, UNSURE } from "../classes.js";
import { el, svg } from "../dom.js";
import { ago, fixed, logOdds, moment, percent } from "../format.js";
import { GLOSSARY } from "../glossary.js";
import { constants, placeKey, store } from "../store.js";
import { LabelBox } from "./label_box.js";
import { shownLabel } from "./labels.js";

/** @import { MailRow } from "../types.d.ts" */

const SCALE = 6; // log-odds from the threshold to either end of the gauge
const REACH = 26; // pixels from the middle of the gauge to the dot at either end

/**
 * How much the score would have to change for another prediction.
 * @param {MailRow} row
 */
export const distance = (row) => row.margin ?? Math.abs(row.log_odds - row.threshold);

let made = 0;

export class MailItem {
  #label = el("bdi");
  #rival = el("span", { class: "rival" });
  #probability = el("span", { class: "probability" });
  #gauge = el("span", { class: "gauge" });
  #sender = el("span", { class: "meta" });
  #date = el("time", { class: "date" });
  #age = el("span", { class: "age" });

  /**
   * @param {MailRow} row
   * @param {(row: MailRow) => void} choose called with the mail when its subject is clicked
   * @param {string | null} [best] see `LabelBox`
   */
  constructor(row, choose, best = null) {
    this.row = row;
    this.box = new LabelBox(row, best);
    const id = `predicted-${++made}`; // a screen reader says the prediction where the keys of the list move to
    this.subject = el("button", { type: "button", class: "subject", "aria-describedby": id, onclick: () => choose(this.row) });
    this.element = el("li", { class: "mail", "data-place": placeKey(row.place) },
      el("span", { class: "score" }, el("span", { class: "said", id }, this.#label, this.#rival), el("span", { class: "odds" }, this.#gauge, this.#probability)),
      el("span", { class: "text" }, el("bdi", {}, this.subject), el("bdi", {}, this.#sender)),
      el("span", { class: "when" }, this.#date, this.#age),
      this.box.element);
  }

  /**
   * Show the current state of the mail.
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
    this.box.update(row);
    this.showAge();
  }

  /** Show how old the mail is now. */
  showAge() {
    this.#age.textContent = ago(this.row.arrived_at);
  }

  /** @param {boolean} selected */
  select(selected) {
    this.element.classList.toggle("selected", selected);
  }

  /** @param {MailRow} row */
  #showPrediction(row) {
    const positive = store.view?.positive ?? "spam";
    const withOdds = hasOdds(row);
    const undecided = row.label === null || row.label === UNSURE;
    const kind = row.label === positive ? "positive" : undecided ? "undecided" : "negative";
    const unsure = row.margin !== null && distance(row) < constants().unsure_band;
    const odds = `log-odds ${logOdds(row.log_odds)}, threshold ${logOdds(row.threshold)}`;
    this.#label.textContent = shortName(row.label ?? UNSCORED);
    this.#label.title = predictionTitle(row.label ?? UNSCORED);
    this.#label.className = `label ${kind} ${unsure ? "unsure" : ""}`;
    this.#rival.replaceChildren(...(unsure && withOdds ? [row.label === UNSURE ? "" : "or ", el("bdi", {}, shortName(row.runner_up ?? "")), "?"] : []));
    this.#rival.title = `${fullName(row.runner_up ?? "")}? ${GLOSSARY.Unsure}`;
    this.#probability.replaceChildren(...(withOdds ? [`${percent(row.probability, 0)} `, el("bdi", {}, shortName(positive))] : lead(row)));
    this.#probability.title = withOdds ? odds : GLOSSARY.Lead;
    this.#probability.dataset.logOdds = String(row.log_odds);
    this.#gauge.replaceChildren(...(withOdds ? [gauge(row)] : []));
  }
}

/**
 * The lead of the class over the next one, for mails whose log-odds are not shown.
 * @param {MailRow} row
 */
const lead = ({ margin, runner_up }) => (margin === null ? [] : [`${fixed(margin, 1)} ahead of `, el("bdi", {}, shortName(runner_up ?? ""))]);

/**
 * A gauge of the score: the other classes on the left, the positive one on the right, the unsure band in the middle.
 * @param {MailRow} row
 */
function gauge({ log_odds, threshold }) {
  const at = 30 + REACH * Math.max(-1, Math.min(1, (log_odds - threshold) / SCALE));
  const half = (REACH * constants().unsure_band) / SCALE;
  return svg("svg", { width: 60, height: 12, viewBox: "0 0 60 12", "aria-hidden": "true" },
    svg("line", { class: "scale", x1: 1, x2: 59, y1: 6, y2: 6 }),
    svg("rect", { class: "band", x: 30 - half, y: 1, width: 2 * half, height: 10 }),
    svg("circle", { class: "at", cx: at, cy: 6, r: 4 }));
}
