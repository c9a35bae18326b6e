import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";

/** Where the choice is kept; index.html reads it before the first paint. */
const KEY = "theme";
const BARS = { light: "#fbf8f2", dark: "#0d1626" };

const listeners = new Set<() => void>();
let chosen: Theme = read();

function read(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === "light" || stored === "dark" ? stored : "system";
  } catch {
    return "system";
  }
}

function apply() {
  const dark = chosen === "dark" || (chosen === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  const shown = dark ? "dark" : "light";
  document.documentElement.dataset.theme = shown;
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", BARS[shown]);
}

/** Shows the chosen theme and follows the system's while that is the choice. */
export function setUpTheme() {
  apply();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
}

function choose(theme: Theme) {
  chosen = theme;
  try {
    if (theme === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Storage can be closed to a page by the browser's settings; the choice then lasts as long as the page.
  }
  apply();
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The chosen theme, and what changes it. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  return [
    useSyncExternalStore(
      subscribe,
      () => chosen,
      () => "system",
    ),
    choose,
  ];
}
