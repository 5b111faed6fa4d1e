// The page starts here.

import { startAsk } from "./ask/ask.js";
import { choice, remember } from "./choices.js";
import { connect } from "./connection.js";
import { byId } from "./dom.js";
import { startFeatures } from "./features/features.js";
import { showHealth, startHealth } from "./health_strip.js";
import { startMails } from "./mail/mails.js";
import { startMissing } from "./missing.js";
import { startOperations } from "./operations/operations.js";
import { startAccuracy } from "./overview/accuracy.js";
import { startOverview } from "./overview/overview.js";
import { startQuality } from "./quality/quality.js";
import { startRouter } from "./router.js";
import { startSources } from "./sources/sources.js";
import { onChange } from "./store.js";
import { startTips } from "./tip.js";
import { startWindows } from "./windows.js";
import { startWords } from "./words/words.js";

const THEME = "theme";

function startTheme() {
  const root = document.documentElement;
  const stored = choice(THEME);
  if (stored) root.dataset.theme = stored;
  byId("theme").addEventListener("click", () => {
    const shown = root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    const theme = shown === "dark" ? "light" : "dark";
    root.dataset.theme = theme;
    remember(THEME, theme);
  });
}

/** Start the pages, once the server's constants, which they use, have arrived. */
function startPages() {
  startWindows();
  startMissing();
  startOverview();
  startAccuracy();
  startMails();
  startAsk();
  startQuality();
  startWords();
  startFeatures();
  startSources();
  startOperations();
}

startTheme();
startTips();
startRouter();
startHealth();
connect(startPages, showHealth);
// The pages are laid out only once, with all data.
onChange(() => byId("main").classList.remove("loading"));
