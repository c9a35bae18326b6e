import { browserStorage, keepJson, readJson } from "../../lib/browser/storage.ts";

const KEY = "skies-help-message";

/** The unsent text of a help message by field, stored on this device. */
export const keptMessage = {
  read(): Record<string, string> | undefined {
    const stored = readJson(browserStorage, KEY);
    return typeof stored === "object" ? (stored as Record<string, string>) : undefined;
  },
  keep: (form: HTMLFormElement) => keepJson(browserStorage, KEY, Object.fromEntries(new FormData(form))),
  forget: () => browserStorage.removeItem(KEY),
};
