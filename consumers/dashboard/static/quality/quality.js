// ROC, calibration and all measures of the chosen window.

import { hasPositive } from "../classes.js";
import { byId } from "../dom.js";
import { drawOn } from "../router.js";
import { constants, onChange, store } from "../store.js";
import { chosenWindow, onWindow, windowTitle } from "../windows.js";
import { showCalibration } from "./calibration.js";
import { showMeasures, startMeasures } from "./measures.js";
import { startPolicy } from "./policy.js";
import { showRoc, startRoc } from "./roc.js";
import { startSmoothing } from "./smoothing.js";

export function startQuality() {
  const draw = drawOn("quality", showQuality);
  startRoc();
  startPolicy(draw);
  startMeasures(draw);
  startSmoothing();
  onChange((changes) => { if (changes.curves || changes.view) draw(); });
  onWindow(draw);
}

/** The window whose curves are shown: the chosen one, or the default one, because windows of time have no curves. */
function curveWindow() {
  return store.curves && chosenWindow() in store.curves.windows ? chosenWindow() : constants().default_window;
}

function showQuality() {
  const { view, curves } = store;
  if (!view) return;
  for (const node of document.querySelectorAll(".positive-name")) node.textContent = view.positive;
  showMeasures(view);
  const met = hasPositive(view);
  for (const id of ["threshold-card", "calibration-card"]) byId(id).hidden = !met;
  byId("no-positive").hidden = met;
  const name = curveWindow();
  const curve = curves?.windows[name];
  if (!curve || !met) return;
  showRoc(view, curve, name);
  byId("calibration-window").textContent = windowTitle(name);
  showCalibration(view, curve, windowTitle(name));
}
