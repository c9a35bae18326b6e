import i18next, { type PostProcessorModule } from "i18next";
import LanguageDetector from "i18next-browser-languagedetector";
import { initReactI18next } from "react-i18next";
import { elideDays } from "../../shared/italian-days.ts";
import { languages } from "./languages.ts";
import { resources } from "./resources.ts";

const italianDays: PostProcessorModule = {
  type: "postProcessor",
  name: "italianDays",
  process: (text) => (i18next.resolvedLanguage === "it" ? elideDays(text) : text),
};

/** Chooses the language (Spec §7: lng query parameter, local storage, browser language, page language; else English). */
export async function setUpLanguage() {
  i18next.on("languageChanged", (language) => {
    document.documentElement.lang = i18next.resolvedLanguage ?? language;
  });
  await i18next
    .use(LanguageDetector)
    .use(initReactI18next)
    .use(italianDays)
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
      postProcess: [italianDays.name],
    });
}
