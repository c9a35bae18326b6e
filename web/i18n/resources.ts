import enCommon from "./en/common.json";
import enLayout from "./en/layout.json";
import itCommon from "./it/common.json";
import itLayout from "./it/layout.json";
import { type Language, languages } from "./languages.ts";
import type { Texts } from "./texts.ts";

/** The texts that every page needs. A feature's texts are part of its chunk (Spec §7: bundled, and not fetched). */
export const resources: Record<Language, Partial<Texts>> = {
  en: { common: enCommon, layout: enLayout },
  it: { common: itCommon, layout: itLayout },
};

/** Adds a feature's texts in all languages. Called when its chunk has loaded. */
export function addNamespace<Name extends keyof Texts>(name: Name, texts: Record<Language, Texts[Name]>) {
  for (const { code } of languages) resources[code][name] = texts[code];
}
