// Chooses the theme before the page is painted: the reader's choice, or else the one of the system.
"use strict";

(() => {
  const root = document.documentElement;
  if (!root.dataset.bsTheme) {
    root.dataset.bsTheme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }
})();
