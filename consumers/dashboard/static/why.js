// Why a mail scored as it did: filled in by the server from its copy of the model.

import { byId, el } from "./dom.js";

const scores = new Map(); // "partition/offset@learned_at" -> log-odds after learning

/** The mail's log-odds under the model of now, once known; null before. */
export function rescored(row) {
  return scores.get(`${row.place.join("/")}@${row.learned_at}`) ?? null;
}

/** Show why a mail scored as it did. */
export async function explain(row) {
  byId("why-body").replaceChildren(el("p", { class: "empty" }, row.subject));
}
