// The page starts here.

import { startAccuracy } from "./accuracy.js";
import { connect } from "./connection.js";
import { byId } from "./dom.js";
import { showHealth, startHealth } from "./health.js";
import { startMails } from "./mails.js";
import { startOperations } from "./operations.js";
import { startOverview } from "./overview.js";
import { startQuality } from "./quality.js";
import { startSources } from "./sources.js";
import { startWords } from "./words.js";

const THEME = "theme";

function startTheme() {
  const root = document.documentElement;
  const stored = localStorage.getItem(THEME);
  if (stored) root.dataset.theme = stored;
  byId("theme").addEventListener("click", () => {
    const theme = getComputedStyle(root).colorScheme === "dark" ? "light" : "dark";
    root.dataset.theme = theme;
    localStorage.setItem(THEME, theme);
  });
}

/** Highlight the link of the section being looked at. */
function startNavigation() {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const found = document.querySelectorAll("nav a");
  const links = [...found];
  const highlight = () => {
    const passed = links.filter((link) => byId(link.hash.slice(1)).getBoundingClientRect().top < innerHeight / 3);
    for (const link of links) link.setAttribute("aria-current", String(link === (passed.at(-1) ?? links[0])));
  };
  addEventListener("scroll", highlight, { passive: true });
  highlight();
}

/** The sections use the server's constants, so they start when these have come. */
function startSections() {
  startOverview();
  startAccuracy();
  startMails();
  startQuality();
  startOperations();
  startSources();
  startWords();
}

startTheme();
startNavigation();
startHealth();
connect(startSections, showHealth);
