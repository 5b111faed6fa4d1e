// Why a mail was scored as it was: selecting a mail queries the server's copy of the model.

import { ask, failed, retryLater } from "../api.js";
import { fullName, shortName } from "../class_names.js";
import { onClasses, UNSCORED } from "../classes.js";
import { byId, el, emptyNote, joined, keepingPlace, say, scrolling } from "../dom.js";
import { count, logOdds, mailCount, meanAndDeviation, moment, percent, plural, signed } from "../format.js";
import { GLOSSARY } from "../glossary.js";
import { address } from "../router.js";
import { onChange, placeKey } from "../store.js";
import { term } from "../tip.js";
import { LabelBox } from "./label_box.js";

/** @import { Explanation, Failure, TermWeight } from "../answer_types.d.ts" */
/** @import { MailRow } from "../types.d.ts" */

const MOST_FLIPS = 12;
const LEVEL_CHARS = 6; // longer names of classes would be broken above their narrow columns
const MOST_LABELS = 6; // more would push the words out of sight
const NO_SUBJECT = "(no subject)";
const TOO_FEW_CLASSES = "The model knows fewer than two classes, so no word is evidence yet.";
const NARROW = "(max-width: 1100px)";
/** @type {MailRow | null} the explained mail as it is now */
let explained = null;
let newest = 0;
/** @type {LabelBox | null} label box of the explained mail */
let box = null;

export function startWhy() {
  onChange((changes) => { for (const row of changes.mails) redrawWhy(row); });
  onClasses(() => { if (explained) redrawWhy(explained); });
}

/**
 * Update the explained mail; explain it again when the model has learned its label. On another log another mail may be
 * at its place.
 * @param {MailRow} row
 */
export function redrawWhy(row) {
  if (!explained || !isExplained(placeKey(row.place))) return;
  const { id, learned_at } = explained;
  explained = row;
  box?.update(row);
  if (row.id !== id || row.learned_at !== learned_at) explain(row);
}

/**
 * Explain a mail's score.
 * @param {MailRow} row
 */
export async function explain(row) {
  const first = !isExplained(placeKey(row.place));
  const number = ++newest;
  explained = row;
  if (first) byId("why-body").replaceChildren(emptyNote("Asking the model…"));
  /** @type {Explanation | Failure} */
  const why = await ask("api/why", { ...row.place });
  if (number !== newest) return;
  retryLater(why, () => { if (number === newest && explained) explain(explained); });
  const parts = failed(why) ? [emptyNote(why.error)] : panel(explained, why);
  keepingPlace(byId("why-body"), () => byId("why-body").replaceChildren(...parts));
  say(failed(why) ? why.error : `${why.subject || NO_SUBJECT}: ${summary(why)}`);
  if (first && matchMedia(NARROW).matches) byId("why").scrollIntoView({ block: "start" });
}

/**
 * Whether a mail is explained, or is about to be.
 * @param {string} key
 */
export const isExplained = (key) => explained !== null && key === placeKey(explained.place);

/**
 * Say why a mail cannot be explained.
 * @param {string} reason
 */
export function explainNothing(reason) {
  newest++;
  explained = null;
  byId("why-body").replaceChildren(emptyNote(reason));
  say(reason);
}

/** @param {Explanation} why */
const summary = (why) =>
  (why.classes.length > 1 ? `${logOdds(why.log_odds)} for ${fullName(why.about ?? "")}${against(why)} with today's model` : TOO_FEW_CLASSES);

/**
 * The class that the log-odds compare with, if it is not the only other one.
 * @param {Explanation} why
 */
const against = ({ classes, rival }) => (classes.length > 2 ? ` against ${fullName(rival ?? "")}` : "");

/**
 * @param {MailRow} row
 * @param {Explanation} why
 * @returns {HTMLElement[]}
 */
function panel(row, why) {
  const scored = row.labels_learned
    ? `scored with ${plural(row.labels_learned, "label")} learned`
    : "scored before any label";
  box = new LabelBox(row, null, true);
  const two = why.classes.length > 1;
  const parts = [
    el("button", { type: "button", class: "quiet to-list", onclick: () => toList(row) }, "↑ Back to the list"),
    el("p", { class: "why-subject" }, el("bdi", {}, why.subject || NO_SUBJECT)),
    el("p", { class: "muted small" },
      el("bdi", {}, why.sender || "unknown sender"), ` · ${moment(row.arrived_at)} · ${scored}`),
    box.element,
    two ? scores(row, why) : emptyNote(TOO_FEW_CLASSES),
    two && manyLabels(why),
    learned(why),
    votes(why),
    two && flips(why, why.log_odds > (why.about === why.positive ? row.threshold : 0)),
    two && terms(why),
    why.preview && el("details", {},
      el("summary", {}, "Text of the mail"), el("p", { class: "small muted" }, el("bdi", {}, why.preview))),
  ];
  return parts.filter((part) => part instanceof HTMLElement);
}

/**
 * Return to the mail in the list; on a phone the explanation is below the list.
 * @param {MailRow} row
 */
function toList({ place }) {
  /** @type {HTMLElement | null} */
  const subject = document.querySelector(`#mails [data-place="${placeKey(place)}"] .subject`);
  (subject ?? byId("mail-title")).focus();
}

/**
 * The score on arrival, now, and after each label: of the class that the explanation is about.
 * @param {MailRow} row
 * @param {Explanation} why
 */
function scores(row, why) {
  const positive = why.about === why.positive;
  const chance = (/** @type {number} */ probability) => (positive ? [`${percent(probability, 1)} `, el("bdi", {}, fullName(why.positive)), " · "] : []);
  const arrived = positive && row.positive === why.positive
    ? [...chance(row.probability), logOdds(row.log_odds)]
    : [el("bdi", {}, fullName(row.label ?? UNSCORED)), row.margin === null ? "" : ` ${logOdds(row.margin)}`];
  const labels = Object.keys(why.if_labelled);
  return el("dl", { class: "values tight" },
    el("dt", {}, term("On arrival", GLOSSARY["Log-odds"])), el("dd", {}, arrived),
    el("dt", {}, "With today's model"),
    el("dd", {}, positive ? chance(why.probability) : [el("bdi", {}, fullName(why.about ?? "")), " "], el("span", { id: "why-log-odds" }, logOdds(why.log_odds))),
    why.starter ? [el("dt", {}, "Without the starter"), el("dd", {}, logOdds(why.log_odds - why.starter))] : [],
    labels.length > MOST_LABELS ? [] : labels.flatMap((label) => ifLabelled(why, label, "If you label it ")));
}

/**
 * The log-odds if the mail had a label.
 * @param {Explanation} why
 * @param {string} label
 * @param {string} before words before the label
 */
const ifLabelled = (why, label, before) => [el("dt", {}, before, el("bdi", {}, fullName(label))), el("dd", {}, logOdds(why.if_labelled[label]))];

/** @param {Explanation} why */
function manyLabels(why) {
  const labels = Object.keys(why.if_labelled);
  if (labels.length <= MOST_LABELS) return null;
  return el("details", {}, el("summary", {}, "If you label it…"),
    el("dl", { class: "values tight" }, labels.flatMap((label) => ifLabelled(why, label, ""))));
}

/** @param {Explanation} why */
function learned({ update }) {
  if (!update) return null;
  if (update.capped) return el("p", { class: "small" }, el("b", {}, el("bdi", {}, fullName(update.label))), " from ", el("bdi", {}, update.source), " was noted, not learned: more labels an hour than allowed.");
  const weight = update.weight
    ? `with weight ${update.weight.toFixed(2)} of a mail.`
    : "with weight 0: the prediction was already sure.";
  return el("p", { class: "small" }, "Learned as ", el("b", {}, el("bdi", {}, fullName(update.label))), " from ", el("bdi", {}, update.source), `, ${weight}`);
}

/** @param {Explanation} why */
function votes(why) {
  if (why.votes.length < 2) return null;
  const texts = why.votes.map(({ source, label }) => [el("bdi", {}, source), ": ", el("bdi", {}, label === null ? "no label" : fullName(label))]);
  return el("p", { class: "small muted" }, "Labels: ", joined(texts));
}

/**
 * @param {Explanation} why
 * @param {boolean} positive whether the model now predicts the class that the log-odds refer to
 */
function flips({ flip, about }, positive) {
  if (!flip.length) return null;
  const otherwise = [` it would ${positive ? "not " : ""}be `, el("bdi", {}, fullName(about ?? ""))];
  if (flip.length > MOST_FLIPS) {
    return el("p", { class: "small muted" }, `Many words decide: without the ${count(flip.length)} strongest`, otherwise, ".");
  }
  return el("p", { class: "small" }, `Without ${flip.length === 1 ? "this" : "these"}`, otherwise, ": ",
    flip.flatMap((text) => [el("code", {}, text), " "]));
}

/**
 * A link from a word to what taught it; pairs, n-grams and other features have no page.
 * @param {TermWeight} one
 */
function wordLink({ kind, text }) {
  return kind === "word" ? el("a", { class: "word", href: address("words", { word: text }) }, text) : text;
}

/** @param {Explanation} why */
function terms(why) {
  const counted = why.classes.length > 2 ? [why.about ?? "", why.rival ?? ""] : why.classes; // more are in the word's title
  const most = Math.max(...why.terms.map((one) => Math.abs(one.weight)), 1e-9);
  const rows = why.terms.flatMap((one) => {
    const bar = el("i", { class: `share ${one.weight > 0 ? "positive" : "negative"} ${why.about === why.positive ? "" : "plain"}` });
    bar.style.width = `${(50 * Math.abs(one.weight)) / most}%`;
    const row = el("tr", {},
      el("th", { scope: "row", title: `${one.text}: ${why.classes.map((label) => `${mailCount(one.counts[label])} ${label}`).join(", ")}` }, el("bdi", {}, wordLink(one))),
      el("td", { class: "bars" }, bar),
      el("td", {}, signed(one.weight, 3)),
      counted.map((label) => el("td", { class: "muted" }, mailCount(one.counts[label]))));
    const normals = joined(why.classes.filter((label) => label in one.normals)
      .map((label) => [el("bdi", {}, fullName(label)), ` ${meanAndDeviation(one.normals[label])}`]));
    return normals.length ? [row, el("tr", { class: "normals" }, el("td", { colspan: 3 + counted.length }, normals))] : [row];
  });
  const what = why.terms.every(({ kind }) => ["word", "pair", "gram"].includes(kind)) ? "word" : "word or feature";
  const sum = why.terms.reduce((total, one) => total + one.weight, 0) + why.rest.weight + why.bias;
  const blank = () => counted.map(() => el("td"));
  const rest = el("tr", { class: "rest" }, el("th", { scope: "row" }, plural(why.rest.terms, "other")),
    el("td"), el("td", {}, signed(why.rest.weight, 3)), blank());
  const bias = el("tr", { class: "rest" }, el("th", { scope: "row" }, term("Bias", GLOSSARY.Bias)),
    el("td"), el("td", {}, signed(why.bias, 3)), blank());
  return scrolling("Evidence",
    el("table", { class: `terms${counted.some((label) => label.length > LEVEL_CHARS) ? " upright" : ""}` },
      el("caption", {}, `Share of each ${what} in the log-odds of `, el("bdi", {}, fullName(why.about ?? "")), el("bdi", {}, against(why)), counted.length ? "; counts in mails learned" : ""),
      el("thead", {}, el("tr", {},
        el("th", { scope: "col" }, what === "word" ? "Word" : "Feature"), el("th", { scope: "col" }, el("span", { class: "hidden" }, "Share")),
        el("th", { scope: "col" }, term("Adds", GLOSSARY.Adds)), counted.map((label) => el("th", { scope: "col", title: label }, el("bdi", {}, shortName(label)))))),
      el("tbody", {}, rows, why.rest.terms ? rest : null, why.bias ? bias : null),
      el("tfoot", {}, el("tr", {}, el("th", { scope: "row" }, "Sum"), el("td"),
        el("td", { id: "why-sum" }, signed(sum, 3)), blank()))));
}
