import { browserStorage } from "../lib/browser/storage.ts";

/** The languages of the app, each in its own name. */
export const languages = [
  { code: "en", name: "English" },
  { code: "it", name: "Italiano" },
] as const;

export type Language = (typeof languages)[number]["code"];

/** Storage key of the chosen language. */
export const LANGUAGE_KEY = "i18nextLng";
export const FALLBACK: Language = "en";

/** Returns the app's language for a code, e.g. "it-CH"; undefined if it is not supported. */
export const languageOf = (code: string | null | undefined) =>
  languages.find((language) => language.code === code?.split(/[-_]/)[0]?.toLowerCase())?.code;

/** Returns the initial language (Spec §7: lng parameter, local storage, browser language, page language, English). */
export function preferredLanguage(): Language {
  const codes = [new URLSearchParams(location.search).get("lng"), browserStorage.getItem(LANGUAGE_KEY)];
  const all = [...codes, ...navigator.languages, document.documentElement.lang];
  return all.map(languageOf).find(Boolean) ?? FALLBACK;
}
