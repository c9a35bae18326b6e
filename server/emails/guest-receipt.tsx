import { Section, Text } from "react-email";
import { isolated } from "../../shared/isolated.ts";
import { elideDays } from "../../shared/italian-days.ts";
import { day } from "./colours.ts";
import { Action, Aside, fonts, Paragraph, Title } from "./EmailParts.tsx";
import type { EmailProps } from "./email-props.ts";
import { greetingName, type Language } from "./language.ts";
import type { Template } from "./template.ts";
import { withoutLinks } from "./visible-targets.ts";

type Props = EmailProps["guest-receipt"];

/** Maximum number of listed files; further files are only counted. */
const NAMED = 100;

/** To a guest: the list of the files they uploaded, and a link to return to them. Nobody has confirmed the address. */
export const guestReceipt: Template<Props> = {
  en: ({ name, files, url, until, timeZone }) => ({
    subject: "What you added has arrived",
    preview: "A list of your files, and a link back to them.",
    content: (
      <>
        <Title>{greetingName(name) ? `Thank you, ${isolated(greetingName(name))}` : "Thank you"}</Title>
        <Paragraph>
          {files.length === 1 ? "This file has arrived safely:" : `These ${files.length} files have arrived safely:`}
        </Paragraph>
        <Files files={files} timeZone={timeZone} language="en" more={(count) => `and ${count} more`} />
        <Action href={url}>View or edit what you added</Action>
        <Aside>
          This link is personal: it opens the page in your name, so that you can edit your words or delete something.
          {until && ` It works until ${dayOf(until, timeZone, "en")}, like the page itself.`}
        </Aside>
      </>
    ),
    why: "You receive this email because this address was given with what was added. If you did not add anything, someone has mistyped their address: you can ignore this email.",
  }),
  it: ({ name, files, url, until, timeZone }) => ({
    subject: "Quello che hai aggiunto è arrivato",
    preview: "L’elenco dei tuoi file, e il link per ritrovarli.",
    content: (
      <>
        <Title>{greetingName(name) ? `Grazie, ${isolated(greetingName(name))}` : "Grazie"}</Title>
        <Paragraph>
          {files.length === 1
            ? "Questo file è arrivato ed è al sicuro:"
            : `Questi ${files.length} file sono arrivati e sono al sicuro:`}
        </Paragraph>
        <Files files={files} timeZone={timeZone} language="it" more={(count) => `e altri ${count}`} />
        <Action href={url}>Rivedi o cambia quello che hai aggiunto</Action>
        <Aside>
          Questo link è solo tuo: apre la pagina a tuo nome, così puoi modificare le tue parole o eliminare qualcosa.
          {until && elideDays(` Funziona fino al ${dayOf(until, timeZone, "it")}, come la pagina stessa.`)}
        </Aside>
      </>
    ),
    why: "Ricevi questa email perché questo indirizzo è stato indicato insieme a quanto aggiunto. Se non hai aggiunto nulla, qualcuno ha sbagliato a scrivere il proprio indirizzo: non devi fare niente.",
  }),
};

interface FilesProps extends Pick<Props, "files" | "timeZone"> {
  language: Language;
  more: (count: number) => string;
}

function Files({ files, timeZone, language, more }: FilesProps) {
  const time = new Intl.DateTimeFormat(LOCALES[language], { timeStyle: "short", timeZone });
  const unnamed = files.length - NAMED;
  return (
    <Section style={{ margin: "12px 0 0" }}>
      {files.slice(0, NAMED).map(({ id, name, at, memory }) => (
        <Line key={id}>
          {time.format(new Date(at))} · {withoutLinks(name) || "…"} · {withoutLinks(memory)}
        </Line>
      ))}
      {unnamed > 0 && <Line>{more(unnamed)}</Line>}
    </Section>
  );
}

const Line = ({ children }: { children: React.ReactNode }) => (
  <Text
    className="ink"
    style={{
      ...fonts.sans,
      color: day.ink,
      fontSize: "16px",
      lineHeight: "25px",
      margin: "4px 0 0",
      overflowWrap: "anywhere",
    }}
  >
    {children}
  </Text>
);

const LOCALES: Record<Language, string> = { en: "en-GB", it: "it-IT" };

const dayOf = (at: string, timeZone: string, language: Language) =>
  new Intl.DateTimeFormat(LOCALES[language], { dateStyle: "long", timeZone }).format(new Date(at));
