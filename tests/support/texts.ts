import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import i18next, { type Resource } from "i18next";
import { elideDays } from "../../shared/italian-days.ts";

const folder = new URL("../../web/i18n/", import.meta.url);

/** The interface's texts in a language, as `say("sharing:pin.save")`, so that a test can run in both languages. */
export function textsIn(language: "en" | "it") {
  const instance = i18next.createInstance();
  void instance.init({
    resources: { [language]: namespacesOf(language) },
    lng: language,
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  const written = language === "it" ? elideDays : String;
  return (key: string, values: Record<string, unknown> = {}): string =>
    written(String(instance.t(key as never, values as never)));
}

/** Read from the files, because the app imports them in the bundler's way. */
const namespacesOf = (language: string): Resource[string] =>
  Object.fromEntries(
    readdirSync(new URL(language, folder)).map((file) => [
      basename(file, ".json"),
      JSON.parse(readFileSync(new URL(`${language}/${file}`, folder), "utf8")),
    ]),
  );
