import { Action, Aside } from "./EmailParts.tsx";
import type { Notice } from "./email-props.ts";
import type { Language } from "./language.ts";

const texts = {
  en: {
    advice:
      "If this was you, there is nothing to do. If not, change your password now and sign out any device you do not recognise. Your memories are safe.",
    action: "Check my account",
  },
  it: {
    advice:
      "Se eri tu, va tutto bene. Altrimenti cambia subito la password e disconnetti i dispositivi che non conosci. I tuoi ricordi sono ancora lì.",
    action: "Controlla il mio account",
  },
} satisfies Record<Language, object>;

/** How a notice ends: what to do about what happened, and where. */
export const WasItYou = ({ language, profileUrl }: Pick<Notice, "profileUrl"> & { language: Language }) => (
  <>
    <Aside>{texts[language].advice}</Aside>
    <Action href={profileUrl}>{texts[language].action}</Action>
  </>
);

/** When it happened. A letter does not know its reader's time zone, so it names the one it uses. */
export function moment(at: string, language: Language): string {
  const locale = language === "it" ? "it-IT" : "en-GB";
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  return `${format.format(new Date(at))} UTC`;
}
