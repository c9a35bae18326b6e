import { day } from "./colours.ts";
import { Action, Aside, fonts, Paragraph, Title } from "./EmailParts.tsx";
import type { EmailProps } from "./email-props.ts";
import type { Language } from "./language.ts";
import type { Template } from "./template.ts";
import { withoutLinks } from "./visible-targets.ts";

type Props = EmailProps["day-reminder"];

interface Words {
  subject: string;
  preview: string;
  /** What follows the memory's name; `until` is the closing time. */
  text: (until: string) => string;
  action: string;
}

const EN: Record<Props["kind"], Words> = {
  closing: {
    subject: "Will you come? Replies close soon",
    preview: "Please reply in time.",
    text: (until) => `please reply by ${until}.`,
    action: "Reply",
  },
  coming: {
    subject: "A reminder of the day",
    preview: "When and where.",
    text: () => "here is what you said you would come to.",
    action: "See the day and your reply",
  },
  place: {
    subject: "There is a place for you",
    preview: "You were on the waiting list.",
    text: () => "a place has become free, and it is yours.",
    action: "See the day and your reply",
  },
  changed: {
    subject: "The day has changed",
    preview: "Please look at the times and places again.",
    text: () => "something about the day has changed. This is how it is now.",
    action: "See the day and your reply",
  },
};

const IT: Record<Props["kind"], Words> = {
  closing: {
    subject: "Verrai? Le risposte si chiudono presto",
    preview: "Rispondi in tempo.",
    text: (until) => `rispondi entro ${until}.`,
    action: "Rispondi",
  },
  coming: {
    subject: "Un promemoria della giornata",
    preview: "Quando e dove.",
    text: () => "ecco i momenti a cui hai detto di venire.",
    action: "Rivedi la giornata e la tua risposta",
  },
  place: {
    subject: "C’è un posto per te",
    preview: "Eri in lista d’attesa.",
    text: () => "si è liberato un posto, ed è tuo.",
    action: "Rivedi la giornata e la tua risposta",
  },
  changed: {
    subject: "La giornata è cambiata",
    preview: "Riguarda gli orari e i luoghi.",
    text: () => "qualcosa della giornata è cambiato. Ora è così.",
    action: "Rivedi la giornata e la tua risposta",
  },
};

/** To a guest who replied to a memory's day or was invited. The subject contains no text that people typed. */
export const dayReminder: Template<Props> = {
  en: (props) => ({
    subject: EN[props.kind].subject,
    preview: EN[props.kind].preview,
    content: (
      <Content {...props} texts={EN[props.kind]} language="en">
        This link is personal: it opens the page in your name. If something changes, change your reply there.
      </Content>
    ),
    why: "You receive this email because this address was given with a reply. If you did not reply, someone has mistyped their address: you can ignore this email.",
  }),
  it: (props) => ({
    subject: IT[props.kind].subject,
    preview: IT[props.kind].preview,
    content: (
      <Content {...props} texts={IT[props.kind]} language="it">
        Questo link è solo tuo: apre la pagina a tuo nome. Se qualcosa cambia, modifica lì la risposta.
      </Content>
    ),
    why: "Ricevi questa email perché questo indirizzo è stato indicato con una risposta. Se non hai risposto, qualcuno ha sbagliato a scrivere il proprio indirizzo: non devi fare niente.",
  }),
};

interface ContentProps extends Props {
  texts: Words;
  language: Language;
  /** About the link. */
  children: string;
}

const Content = ({ texts, memory, closes, parts, url, language, children }: ContentProps) => (
  <>
    <Title>{texts.subject}</Title>
    <Paragraph>
      {withoutLinks(memory)}: {texts.text(closes ? momentOf(closes.at, closes.timeZone, language) : "")}
    </Paragraph>
    <Parts parts={parts} language={language} />
    <Action href={url}>{texts.action}</Action>
    <Aside>{children}</Aside>
  </>
);

const Parts = ({ parts, language }: Pick<Props, "parts"> & { language: Language }) => (
  <>
    {parts.map(({ title, place, day: onDate, time }) => (
      <p
        key={`${title} ${onDate} ${time}`}
        className="ink"
        style={{ ...fonts.sans, color: day.ink, fontSize: "16px", lineHeight: "25px", margin: "12px 0 0" }}
      >
        <strong>{withoutLinks(title)}</strong>
        <br />
        {[dayOf(onDate, language), time?.slice(0, "HH:MM".length), withoutLinks(place)].filter(Boolean).join(" · ")}
      </p>
    ))}
  </>
);

const LOCALES: Record<Language, string> = { en: "en-GB", it: "it-IT" };

const dayOf = (date: string, language: Language) =>
  new Intl.DateTimeFormat(LOCALES[language], { dateStyle: "full", timeZone: "UTC" }).format(new Date(`${date}T00:00Z`));

const momentOf = (at: string, timeZone: string, language: Language) =>
  new Intl.DateTimeFormat(LOCALES[language], { dateStyle: "long", timeStyle: "short", timeZone }).format(new Date(at));
