// The overview: tiles, the confusion matrix, and detected changes.

import { byId, el, morph } from "../dom.js";
import { ago, capitalized, moment, percent } from "../format.js";
import { GLOSSARY } from "../glossary.js";
import { drawOn } from "../router.js";
import { onChange, store } from "../store.js";
import { term } from "../tip.js";
import { chosenWindow, onWindow, windowTitle } from "../windows.js";
import { showConfusion } from "./confusion.js";
import { showTiles } from "./tiles.js";

/** @import { View } from "../types.d.ts" */

const SHOWN_CHANGES = 6;

export function startOverview() {
  const draw = drawOn("overview", showOverview);
  onChange((changes) => { if (changes.view || changes.health) draw(); }); // health updates keep the times current
  onWindow(draw);
}

function showOverview() {
  const { view } = store;
  if (!view) return;
  showTiles(view);
  showConfusion(view.windows[chosenWindow()].report, windowTitle(chosenWindow()));
  showChanges(view);
}

/** @param {View} view */
function showChanges({ changes }) {
  const items = changes.slice(-SHOWN_CHANGES).reverse().map((change) => {
    const name = capitalized(change.signal);
    return el("li", {}, el("b", {}, term(name, GLOSSARY[name])),
      ` ${percent(change.before, 1)} → ${percent(change.after, 1)} `,
      el("span", { class: "muted" }, `${moment(change.timestamp)}, ${ago(change.timestamp)}`));
  });
  morph(byId("changes"), items.length ? items : [el("li", { class: "muted" }, "None so far.")]);
}
