import { isolated } from "../../shared/isolated.ts";
import { elideDays } from "../../shared/italian-days.ts";
import { browserStorage } from "../lib/browser/storage.ts";
import { createStore, useStore } from "../lib/browser/store.ts";
import { FALLBACK, LANGUAGE_KEY, type Language, languageOf, preferredLanguage } from "./languages.ts";
import { resources } from "./resources.ts";

type Values = Record<string, unknown>;
type Texts = { [key: string]: string | Texts };

const { get: current, set: showLanguage, subscribe } = createStore<Language>(FALLBACK);

/** Switches to a language without storing the choice. */
export { showLanguage };

/** Sets the initial language. Stores it only if the URL requests it, because only a choice of the person is stored. */
export function beginLanguage() {
  if (new URLSearchParams(location.search).has("lng")) return changeLanguage(preferredLanguage());
  showLanguage(preferredLanguage());
  nameLanguage();
}

function nameLanguage() {
  const root = document.documentElement;
  // Browsers recalculate all styles whenever `lang` is set, also to the same value.
  if (root.lang !== current()) root.lang = current();
}

/** Switches to a language and stores the choice for the next visit. */
export function changeLanguage(language: string) {
  showLanguage(languageOf(language) ?? FALLBACK);
  nameLanguage();
  browserStorage.setItem(LANGUAGE_KEY, current());
}

/** The current language, with the property names of i18next. */
export const i18n = {
  get language() {
    return current();
  },
  get resolvedLanguage() {
    return current();
  },
  changeLanguage,
};

function find(language: Language, namespace: string, path: string): string | undefined {
  let node: Texts | string | undefined = (resources as Record<Language, Texts>)[language][namespace];
  for (const name of path.split(".")) node = typeof node === "object" ? node[name] : undefined;
  return typeof node === "string" ? node : undefined;
}

/**
 * Returns the plural suffixes of a key for a count, most specific first. Some keys have a text for zero. English and
 * Italian use the singular for 1 only, so `Intl.PluralRules` is not needed: its first use in a page takes 7 ms.
 */
function endings(count: unknown): string[] {
  if (typeof count !== "number") return [""];
  return [...(count === 0 ? ["_zero"] : []), ...(count === 1 ? ["_one"] : []), "_other", ""];
}

/**
 * Returns the text of a key, e.g. "sharing:pin.label" or, from `namespaces`, "pin.label". `values` fill {{names}}. The
 * language is the app's, unless somebody else reads the text.
 */
export function translate(
  key: string,
  values: Values = {},
  namespaces: readonly string[] = ["common"],
  inLanguage: Language = current(),
): string {
  const [name, inside] = key.includes(":") ? key.split(":", 2) : [undefined, key];
  for (const language of [inLanguage, FALLBACK]) {
    for (const namespace of name === undefined ? namespaces : [name]) {
      for (const ending of endings(values.count)) {
        const text = find(language, namespace, `${inside}${ending}`);
        if (text === undefined) continue;
        const filled = text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_all, value: string) =>
          isolated(String(values[value] ?? "")),
        );
        return language === "it" ? elideDays(filled) : filled;
      }
    }
  }
  return inside ?? key;
}

const functions = new Map<string, (key: string, values?: Values) => string>();

/** Returns the same function for the same namespaces and language, and a new one after the language has changed. */
function functionFor(namespaces: readonly string[]) {
  const id = `${current()} ${namespaces.join()}`;
  const translator = functions.get(id) ?? ((key: string, values?: Values) => translate(key, values, namespaces));
  functions.set(id, translator);
  return translator;
}

/**
 * Replaces the hook of react-i18next; callers are compiled against its types. The app needs only keys, plurals and
 * values of i18next, and every visitor would have to load the rest (decision 57).
 */
export function useTranslation(namespace: string | readonly string[] = "common") {
  // Hydration needs no value of its own, because a prerendered page has the app's initial language.
  useStore({ get: current, subscribe });
  return { t: functionFor(typeof namespace === "string" ? [namespace] : namespace), i18n };
}
