import { browserStorage } from "./storage.ts";
import { createStore, useStore } from "./store.ts";

export type Theme = "system" | "light" | "dark";

/** Storage key of the choice; index.html reads it before the first paint. */
const KEY = "theme";
const BARS = { light: "#fbf8f2", dark: "#0d1626" };

function read(): Theme {
  const stored = browserStorage.getItem(KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

const chosen = createStore<Theme>(read(), "system");

function apply() {
  const theme = chosen.get();
  const dark = theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  const shown = dark ? "dark" : "light";
  document.documentElement.dataset.theme = shown;
  // One for each theme of the system; the chosen theme replaces both.
  for (const bar of document.querySelectorAll('meta[name="theme-color"]')) bar.setAttribute("content", BARS[shown]);
}

/** Applies the chosen theme, and follows the system's theme if that is chosen. */
export function setUpTheme() {
  apply();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
}

function choose(theme: Theme) {
  chosen.set(theme);
  if (theme === "system") browserStorage.removeItem(KEY);
  else browserStorage.setItem(KEY, theme);
  apply();
}

/** The chosen theme and its setter. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useStore(chosen), choose];
}
