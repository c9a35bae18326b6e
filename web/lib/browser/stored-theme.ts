import { browserStorage } from "./storage.ts";

export type Theme = "system" | "light" | "dark";

/** Storage key of the choice. */
export const THEME_KEY = "theme";

/** The theme that the person has chosen. */
export function storedTheme(): Theme {
  const stored = browserStorage.getItem(THEME_KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

/** The theme that a choice shows now. */
export const shownTheme = (theme: Theme): "light" | "dark" =>
  theme !== "system" ? theme : matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
