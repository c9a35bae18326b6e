import { browserStorage } from "./storage.ts";
import { createStore, useStore } from "./store.ts";
import { shownTheme, storedTheme, THEME_KEY, type Theme } from "./stored-theme.ts";

const BARS = { light: "#fbf8f2", dark: "#0d1626" };

const chosen = createStore<Theme>(storedTheme(), "system");

function apply() {
  const theme = shownTheme(chosen.get());
  document.documentElement.dataset.theme = theme;
  // One for each theme of the system; the chosen theme replaces both.
  for (const bar of document.querySelectorAll('meta[name="theme-color"]')) bar.setAttribute("content", BARS[theme]);
}

/** Applies the chosen theme, and follows the system's theme if that is chosen. */
export function setUpTheme() {
  apply();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
}

function choose(theme: Theme) {
  chosen.set(theme);
  if (theme === "system") browserStorage.removeItem(THEME_KEY);
  else browserStorage.setItem(THEME_KEY, theme);
  apply();
}

/** The chosen theme and its setter. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useStore(chosen), choose];
}
