// What to start if there is nothing to show.

import { byId, el, morph } from "./dom.js";
import { processes, runs, starts } from "./health.js";
import { onChange, store } from "./store.js";

/** Show a hint above every page while there is no mail to show. */
export function startMissing() {
  onChange(() => {
    const nothing = !store.view?.mails;
    byId("missing").hidden = !nothing;
    byId("main").classList.toggle("no-view", !store.view);
    if (nothing) morph(byId("missing"), "There is no mail to show yet. ", missing());
  });
}

/** What is missing before mail appears, with the command that provides it. */
export function missing() {
  const { health } = store;
  const starting = health?.stages.find(starts);
  if (starting) return el("span", {}, `The ${starting.name} is ${starting.state}: ${starting.note}.`);
  const idle = ["worker", "monitor"].find((stage) => health && !processes(health, stage).some(runs));
  if (idle) return el("span", {}, `The ${idle} is not running: `, el("code", {}, `stream-nb ${idle}`));
  return el("span", {}, "Feed some mail: ", el("code", {}, "stream-nb feed PATH"));
}
