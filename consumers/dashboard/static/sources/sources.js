// The sources of labels, and withdrawing all labels of one source.

import { failed, post } from "../api.js";
import { fullName } from "../class_names.js";
import { byId, el, elementOf, joined, morph, tableHead, toast } from "../dom.js";
import { ago, count, fixed, mailCount, moment, percent, plural } from "../format.js";
import { drawOn } from "../router.js";
import { onChange, store } from "../store.js";
import { GLOSSARY } from "../glossary.js";
import { term } from "../tip.js";

/** @import { Failure } from "../answer_types.d.ts" */
/** @import { SourceView, View } from "../types.d.ts" */

const HEADINGS = ["Source", "Labels", "Withdrawn", "Against the prediction", "Count in the model", "Probably wrong", "Flip rate", "Last", ""];

/** @type {string[]} names of the sources in the table, from the top */
let shown = [];

export function startSources() {
  elementOf("source-table", HTMLTableElement).addEventListener("click", ({ target }) => {
    const row = target instanceof Element && target.closest("td button") ? target.closest("tr") : null;
    const source = store.view?.sources.find(({ name }) => name === row?.dataset.source);
    if (source && store.view) askUndo(source.name, source.display_name, learnedLabels(source.name, store.view));
  });
  const draw = drawOn("sources", showSources);
  onChange((changes) => { if (changes.view || changes.health) draw(); }); // health updates keep the times current
}

function showSources() {
  const { view } = store;
  if (!view) return;
  showSenders(view);
  const table = elementOf("source-table", HTMLTableElement);
  const inUse = table.contains(document.activeElement) || table.matches(":hover");
  const rank = (/** @type {SourceView} */ { name }) => (shown.includes(name) ? shown.indexOf(name) : shown.length);
  const sources = inUse ? [...view.sources].sort((a, b) => rank(a) - rank(b)) : view.sources; // keep the button under the pointer
  shown = sources.map(({ name }) => name);
  const rows = sources.map((source) => sourceRow(source, view));
  const empty = el("tr", {}, el("td", { colspan: HEADINGS.length, class: "empty" }, "Nobody has labelled yet."));
  const head = tableHead(HEADINGS.map((name) => name && term(name, GLOSSARY[name])));
  morph(table, head, el("tbody", {}, rows.length ? rows : empty));
}

/** @param {View} view */
function showSenders({ senders }) {
  byId("disagreement").hidden = senders.length === 0;
  const rows = senders.map(({ address, labels }) => el("tr", {},
    el("th", { scope: "row", title: address }, el("bdi", {}, address)),
    el("td", {}, joined(labels.map(({ label, mails, sources }) =>
      [el("bdi", {}, fullName(label)), `: ${plural(mails, "mail")} by ${plural(sources, "source")}`]), "; "))));
  morph(byId("sender-table"), tableHead(["Sender", "Labels"]), el("tbody", {}, rows));
}

/**
 * The number of a source's labels in the model; null for textbook models, which do not count them by source.
 * @param {string} name
 * @param {View} view
 */
function learnedLabels(name, { log_status: { reliability } }) {
  return reliability && (reliability[name]?.labels ?? 0);
}

/**
 * @param {SourceView} source
 * @param {View} view
 */
function sourceRow({ name, display_name, counts, pooled }, view) {
  const reliability = view.log_status.reliability?.[name];
  const labels = pooled ? null : learnedLabels(name, view); // the view has the reliability of single sources only
  const wrong = percent(counts.scored ? counts.wrong / counts.scored : null, 1);
  const cells = [
    count(counts.labels), count(counts.withdrawn), `${count(counts.wrong)} (${wrong})`, mailCount(labels),
    fixed(labels === null ? null : reliability?.doubted ?? 0, 1), percent(reliability?.flip_rate, 1), `${moment(counts.last_at)}, ${ago(counts.last_at)}`,
  ];
  return el("tr", { "data-source": name },
    el("th", { scope: "row", title: display_name }, el("bdi", {}, display_name)),
    cells.map((text) => el("td", {}, text)),
    el("td", {}, pooled ? "" : el("button", { type: "button", "aria-label": `Undo ${display_name}` }, "Undo…")));
}

/**
 * @param {string} name
 * @param {string} displayName
 * @param {number | null} labels number of its labels in the model; null if unknown
 */
function askUndo(name, displayName, labels) {
  const dialog = elementOf("undo", HTMLDialogElement);
  byId("undo-question").replaceChildren("Withdraw all labels of “", el("bdi", {}, displayName), "”? ",
    labels === null ? "The labels" : `${count(labels)} of its labels ${labels === 1 ? "counts" : "count"} in the model now; the labels`,
    " of others for the same mails will count again.");
  dialog.returnValue = "";
  dialog.onclose = () => { if (dialog.returnValue === "yes") undo(name, displayName); };
  dialog.showModal();
}

/**
 * @param {string} name
 * @param {string} displayName
 */
async function undo(name, displayName) {
  /** @type {{labels: number} | Failure} */
  const answer = await post("api/undo", { source: name });
  if (failed(answer)) toast(`Not undone: ${answer.error}`);
  else if (!answer.labels) toast(`${displayName} has no label to withdraw.`);
  else toast(`${plural(answer.labels, "label")} of ${displayName} ${answer.labels === 1 ? "is" : "are"} being withdrawn.`);
}
