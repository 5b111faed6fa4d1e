// The sources of labels, and withdrawing all labels of one source.

import { post } from "../api.js";
import { byId, el, elementOf, tableHead, toast } from "../dom.js";
import { ago, count, fixed, mailCount, moment, percent, plural } from "../format.js";
import { drawOn } from "../router.js";
import { onChange, store } from "../store.js";
import { GLOSSARY } from "../glossary.js";
import { term } from "../tip.js";

/** @import { SourceView, View } from "../types.js" */

const HEADINGS = ["Source", "Labels", "Withdrawn", "Against the prediction", "Count in the model", "Probably wrong", "Flip rate", "Last", ""];

export function startSources() {
  const draw = drawOn("sources", showSources);
  onChange((changes) => { if (changes.view || changes.health) draw(); }); // health updates keep the times current
}

function showSources() {
  const { view } = store;
  if (!view) return;
  showSenders(view);
  const rows = view.sources.map((source) => sourceRow(source, view));
  const table = elementOf("source-table", HTMLTableElement);
  const inUse = table.contains(document.activeElement) || table.matches(":hover");
  if (inUse && table.tBodies[0]?.rows.length === rows.length) return; // keep the button under the pointer
  const empty = el("tr", {}, el("td", { colspan: HEADINGS.length, class: "empty" }, "Nobody has labelled yet."));
  const head = tableHead(HEADINGS.map((name) => name && term(name, GLOSSARY[name])));
  table.replaceChildren(head, el("tbody", {}, rows.length ? rows : empty));
}

/** @param {View} view */
function showSenders({ senders }) {
  byId("disagreement").hidden = senders.length === 0;
  const rows = senders.map(({ address, labels }) => el("tr", {},
    el("th", { scope: "row", title: address }, el("bdi", {}, address)),
    el("td", {}, labels.flatMap(({ label, mails, sources }, index) => [
      index ? "; " : "", el("bdi", {}, label), `: ${plural(mails, "mail")} by ${plural(sources, "source")}`]))));
  byId("sender-table").replaceChildren(tableHead(["Sender", "Labels"]), el("tbody", {}, rows));
}

/**
 * @param {SourceView} source
 * @param {View} view
 */
function sourceRow({ name, display_name, counts }, view) {
  const { labels_learned, reliability: known } = view.log_status;
  const reliability = known[name];
  // Textbook models do not count labels by source.
  const labels = labels_learned && !Object.keys(known).length ? null : reliability?.labels ?? 0;
  const wrong = percent(counts.scored ? counts.wrong / counts.scored : null, 1);
  const onclick = () => askUndo(name, display_name, labels);
  const cells = [
    count(counts.labels), count(counts.withdrawn), `${count(counts.wrong)} (${wrong})`, mailCount(labels),
    fixed(labels === null ? null : reliability?.doubted ?? 0, 1), percent(reliability?.flip_rate, 1), `${moment(counts.last_at)}, ${ago(counts.last_at)}`,
  ];
  return el("tr", { "data-source": name },
    el("th", { scope: "row", title: display_name }, el("bdi", {}, display_name)),
    cells.map((text) => el("td", {}, text)),
    el("td", {}, el("button", { type: "button", "aria-label": `Undo ${display_name}`, onclick }, "Undo…")));
}

/**
 * @param {string} name
 * @param {string} displayName
 * @param {number | null} labels number of its labels in the model; null if unknown
 */
function askUndo(name, displayName, labels) {
  const dialog = elementOf("undo", HTMLDialogElement);
  byId("undo-question").textContent = `Withdraw all labels of “${displayName}”? `
    + (labels === null ? "The labels" : `${count(labels)} of its labels ${labels === 1 ? "counts" : "count"} in the model now; the labels`)
    + " of others for the same mails will count again.";
  dialog.returnValue = "";
  dialog.onclose = () => { if (dialog.returnValue === "yes") undo(name, displayName); };
  dialog.showModal();
}

/**
 * @param {string} name
 * @param {string} displayName
 */
async function undo(name, displayName) {
  try {
    const { labels } = await post("api/undo", { source: name });
    toast(labels
      ? `${plural(labels, "label")} of ${displayName} ${labels === 1 ? "is" : "are"} being withdrawn.`
      : `${displayName} has no label to withdraw.`);
  } catch (error) {
    toast(`Not undone: ${error instanceof Error ? error.message : error}`);
  }
}
