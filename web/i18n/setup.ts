import i18next from "i18next";
import LanguageDetector from "i18next-browser-languagedetector";
import { initReactI18next } from "react-i18next";
import { languages } from "./languages.ts";
import { resources } from "./resources.ts";

/** Chooses the language (Spec §7: lng query parameter, local storage, browser language, page language; else English). */
export async function setUpLanguage() {
  i18next.on("languageChanged", (language) => {
    document.documentElement.lang = i18next.resolvedLanguage ?? language;
  });
  await i18next
    .use(LanguageDetector)
    .use(initReactI18next)
    .init({
      resources,
      defaultNS: "common",
      fallbackLng: "en",
      supportedLngs: languages.map((language) => language.code),
      // it-IT and it-CH read Italian.
      nonExplicitSupportedLngs: true,
      load: "languageOnly",
      detection: {
        order: ["querystring", "localStorage", "navigator", "htmlTag"],
        lookupQuerystring: "lng",
        convertDetectedLanguage: (language) => language.split(/[-_]/)[0] ?? language,
      },
      interpolation: { escapeValue: false },
    });
}
