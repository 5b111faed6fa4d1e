// ROC, calibration and all measures of the chosen window.

import { showCalibration } from "./calibration.js";
import { showMeasures, startMeasures } from "./measures.js";
import { chosenWindow, onWindow, windowTitle } from "./overview.js";
import { showRoc, startRoc } from "./roc.js";
import { startSmoothing } from "./smoothing.js";
import { constants, onChange, store } from "./store.js";

export function startQuality() {
  startRoc(showChosenRoc);
  startMeasures();
  startSmoothing();
  onChange((changes) => {
    if (changes.curves) showCurves();
    if (changes.view) {
      showMeasures(changes.view);
      for (const node of document.querySelectorAll(".positive-name")) node.textContent = changes.view.positive;
    }
  });
  onWindow(showCurves);
  addEventListener("resize", showCurves);
}

/** The window whose curves are shown: windows of time have none, so the default window stands in. */
function curveWindow() {
  return store.curves && chosenWindow() in store.curves.windows ? chosenWindow() : constants().default_window;
}

function showCurves() {
  showChosenRoc();
  if (store.curves) showCalibration(store.curves.windows[curveWindow()], windowTitle(curveWindow()));
}

function showChosenRoc() {
  if (store.view && store.curves) showRoc(store.view, store.curves.windows[curveWindow()], windowTitle(curveWindow()));
}
