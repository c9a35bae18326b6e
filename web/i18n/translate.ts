import { elideDays } from "../../shared/italian-days.ts";
import { browserStorage } from "../lib/browser/storage.ts";
import { createStore, useStore } from "../lib/browser/store.ts";
import { type Language, languages } from "./languages.ts";
import { resources } from "./resources.ts";

/** Where the choice is kept; index.html reads it before the first paint. */
const KEY = "i18nextLng";
const FALLBACK: Language = "en";

type Values = Record<string, unknown>;
type Texts = { [key: string]: string | Texts };

const { get: current, set: showLanguage, subscribe } = createStore<Language>(FALLBACK);

/** Shows every text in this language, without keeping the choice. */
export { showLanguage };

/** The language of the app among those that it knows, of a code as "it-CH". */
const known = (code: string | null | undefined) =>
  languages.find((language) => language.code === code?.split(/[-_]/)[0]?.toLowerCase())?.code;

/** The language to begin with (Spec §7: lng query parameter, local storage, browser language, page language; else English). */
export function preferredLanguage(): Language {
  const asked = [new URLSearchParams(location.search).get("lng"), browserStorage.getItem(KEY), ...navigator.languages];
  return [...asked, document.documentElement.lang].map(known).find(Boolean) ?? FALLBACK;
}

/** Begins in the preferred language. Only one that the address asks for is kept: what nobody chose need not be stored. */
export function beginLanguage() {
  if (new URLSearchParams(location.search).has("lng")) return changeLanguage(preferredLanguage());
  showLanguage(preferredLanguage());
  nameLanguage();
}

function nameLanguage() {
  const root = document.documentElement;
  // Browsers renew every style of a page whose language is set, to the same one as well.
  if (root.lang !== current()) root.lang = current();
}

/** Shows every text in this language and keeps the choice for the next visit. */
export function changeLanguage(language: string) {
  showLanguage(known(language) ?? FALLBACK);
  nameLanguage();
  browserStorage.setItem(KEY, current());
}

/** The language in use, under the names that i18next gives it. */
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
  let found: Texts | string | undefined = (resources as Record<Language, Texts>)[language][namespace];
  for (const name of path.split(".")) found = typeof found === "object" ? found[name] : undefined;
  return typeof found === "string" ? found : undefined;
}

/**
 * The endings of a key for a count, the most fitting first: zero has words of its own in some places. English and Italian
 * have a singular for one alone, so that `Intl.PluralRules` is not needed, whose first use in a page takes 7 ms.
 */
function endings(count: unknown): string[] {
  if (typeof count !== "number") return [""];
  return [...(count === 0 ? ["_zero"] : []), ...(count === 1 ? ["_one"] : []), "_other", ""];
}

/** A text by its key, as "sharing:pin.label" or without the namespace in `namespaces`; values stand for {{names}}. */
export function translate(key: string, values: Values = {}, namespaces: readonly string[] = ["common"]): string {
  const [name, inside] = key.includes(":") ? key.split(":", 2) : [undefined, key];
  for (const language of [current(), FALLBACK]) {
    for (const namespace of name === undefined ? namespaces : [name]) {
      for (const ending of endings(values.count)) {
        const text = find(language, namespace, `${inside}${ending}`);
        if (text === undefined) continue;
        const filled = text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_all, value: string) => String(values[value] ?? ""));
        return language === "it" ? elideDays(filled) : filled;
      }
    }
  }
  return inside ?? key;
}

const functions = new Map<string, (key: string, values?: Values) => string>();

/** The same function for the same namespaces in the same language, and another one after a change. */
function functionFor(namespaces: readonly string[]) {
  const id = `${current()} ${namespaces.join()}`;
  const known = functions.get(id) ?? ((key: string, values?: Values) => translate(key, values, namespaces));
  functions.set(id, known);
  return known;
}

/**
 * Stands in for react-i18next, whose types the callers see: of what i18next can do the app needs keys, plurals and
 * values, and every visitor would wait for the rest (decision 57).
 */
export function useTranslation(namespace: string | readonly string[] = "common") {
  // A prerendered page is in the language that the app begins in.
  useStore({ get: current, subscribe });
  return { t: functionFor(typeof namespace === "string" ? [namespace] : namespace), i18n };
}
