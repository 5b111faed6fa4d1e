// What taught a word: the people, and the labelled mails, with links to where their labels can be withdrawn.

import { ask, failed, retryLater } from "../api.js";
import { fullName } from "../class_names.js";
import { el, emptyNote, joined, scrollTable } from "../dom.js";
import { ago, count, fixed, mailCount, moment, plural } from "../format.js";
import { address } from "../router.js";

/** @import { Failure, Lesson, WordLessons } from "../answer_types.d.ts" */

/**
 * A box that shows, when it is opened, what taught a feature.
 * @param {string} feature
 */
export function wordLessons(feature) {
  const body = el("div", {}, emptyNote("Reading the labelled mails…"));
  let asked = false;
  const fill = async () => {
    /** @type {WordLessons | Failure} */
    const answer = await ask("api/lessons", { text: feature });
    body.replaceChildren(...(failed(answer) ? [emptyNote(answer.error)] : answerParts(answer)));
    retryLater(answer, () => { if (body.isConnected) fill(); });
  };
  const ontoggle = () => {
    if (!asked) fill();
    asked = true;
  };
  return el("details", { class: "lessons", ontoggle }, el("summary", {}, "Who taught this, with which mails?"), body);
}

/**
 * @param {WordLessons} answer
 * @returns {HTMLElement[]}
 */
function answerParts(answer) {
  const { counts, taught, sources, lessons, found } = answer;
  if (!lessons.length) return [emptyNote("No remembered labelled mail contains it.")];
  const people = sources.map(({ display_name, lessons: mails }) => [el("a", { href: "sources" }, el("bdi", {}, display_name)), ` (${plural(mails, "mail")})`]);
  const sums = Object.entries(counts).map(([label, value]) => [el("bdi", {}, fullName(label)), ` ${mailCount(taught[label] ?? 0)} of ${mailCount(value)}`]);
  const shown = lessons.length < found ? `; the latest ${count(lessons.length)} are listed` : "";
  return [
    el("p", { class: "small" }, "Labelled by ", joined(people), "."),
    el("p", { class: "small muted" }, `${plural(found, "labelled mail")} with it taught: `, joined(sums), `${shown}. ${missing(answer)}`
      + "Open a mail to withdraw its label; withdraw all labels of a person under Sources."),
    scrollTable("Mails that taught it", ["Mail", "Label", "By", "When", "Taught"], lessons.map(lessonRow)),
  ];
}

/** @param {WordLessons} answer */
function missing({ unexplained, complete, evicted, unreadable }) {
  if (!Object.keys(unexplained).length) return "";
  if (!complete) return "The search took too long and is incomplete. ";
  if (!evicted && !unreadable) return "The difference is what the model has forgotten, with time or for lack of space. ";
  return `The rest was taught by mails that are no longer remembered (${count(evicted)}) or have left the log (${count(unreadable)}). `;
}

/** @param {Lesson} lesson */
function lessonRow({ partition, offset, id, subject, sender, label, source, labelled_at, taught }) {
  const amounts = Object.entries(taught).map(([name, value]) => (name === label ? [fixed(value)] : [el("bdi", {}, fullName(name)), ` ${fixed(value)}`]));
  const link = el("a", { href: address("mail", { mail: `${partition}/${offset}`, id }) }, subject || "(no subject)");
  return el("tr", {},
    el("th", { scope: "row", title: sender }, el("bdi", {}, link)),
    el("td", {}, el("bdi", {}, fullName(label))),
    el("td", {}, el("bdi", {}, source)),
    el("td", { class: "muted", title: ago(labelled_at) }, moment(labelled_at)),
    el("td", {}, joined(amounts)));
}
