import type { ReactNode } from "react";
import { Action, Aside, Code, Paragraph } from "./EmailParts.tsx";
import type { OneTime } from "./email-props.ts";
import type { Language } from "./language.ts";

type Texts = Record<Language, { orType: string; limits(minutes: number): string }>;

const texts: Texts = {
  en: {
    orType: "Or enter this code on the page you came from:",
    limits: (minutes) => `The link and the code work once, for ${minutes} minutes.`,
  },
  it: {
    orType: "Oppure inserisci questo codice nella pagina da cui arrivi:",
    limits: (minutes) => `Il link e il codice valgono una sola volta, per ${minutes} minuti.`,
  },
};

interface OpenOnceProps extends OneTime {
  language: Language;
  /** What following the link does. */
  label: string;
  /** What to do where it was not the reader who asked. */
  children: ReactNode;
}

/** A link and a code, how long they work, and what to do about them if nobody asked. */
export const OpenOnce = ({ language, label, url, code, minutes, children }: OpenOnceProps) => (
  <>
    <Action href={url}>{label}</Action>
    <Paragraph>{texts[language].orType}</Paragraph>
    <Code>{code}</Code>
    <Aside>
      {texts[language].limits(minutes)} {children}
    </Aside>
  </>
);
