import { browserStorage, keepJson, readJson } from "../../lib/browser/storage.ts";

const KEY = "skies-help-message";

/** What was typed into the form of a help message and not sent, by field, as this device keeps it. */
export const keptMessage = {
  read(): Record<string, string> | undefined {
    const found = readJson(browserStorage, KEY);
    return typeof found === "object" ? (found as Record<string, string>) : undefined;
  },
  keep: (form: HTMLFormElement) => keepJson(browserStorage, KEY, Object.fromEntries(new FormData(form))),
  forget: () => browserStorage.removeItem(KEY),
};
