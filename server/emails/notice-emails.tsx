import { Column, Heading, Link, Row, Section, Text } from "react-email";
import { day } from "./colours.ts";
import { Action, Aside, Face, fonts, Paragraph, Quote, Title } from "./EmailParts.tsx";
import type { EmailProps } from "./email-props.ts";
import type { Language } from "./language.ts";
import { noticeSentence } from "./notice-sentences.ts";
import type { Template } from "./template.ts";
import { withoutLinks } from "./visible-targets.ts";

const Soft = ({ href, children }: { href: string; children: string }) => (
  <Link className="soft" href={href} style={{ color: day.soft, textDecoration: "underline" }}>
    {children}
  </Link>
);

/** News in the recipient's memories, at once or as a digest. The subject contains no text that people typed. */
export const notices: Template<EmailProps["notices"]> = {
  en: ({ cadence, memories, settingsUrl }) => ({
    subject: {
      instantly: "Something new in your memories",
      daily: "New in your memories since yesterday",
      weekly: "New in your memories this week",
    }[cadence],
    preview: "See what others have added.",
    content: (
      <>
        <Title>{cadence === "instantly" ? "Something new in your memories" : "New in your memories"}</Title>
        {memories.map((memory) => (
          <MemoryNews key={memory.url} language="en" memory={memory} />
        ))}
        {memories.length === 1 && memories[0] && <Action href={memories[0].url}>Open the memory</Action>}
      </>
    ),
    why: (
      <>
        You receive this email because you are one of the people of{" "}
        {memories.length === 1 ? "this memory" : "these memories"}. You choose how often you get these emails:
        immediately, daily, weekly, or never. <Soft href={settingsUrl}>Notification settings</Soft>
      </>
    ),
  }),
  it: ({ cadence, memories, settingsUrl }) => ({
    subject: {
      instantly: "Una novità nei tuoi ricordi",
      daily: "Le novità di ieri nei tuoi ricordi",
      weekly: "Le novità della settimana nei tuoi ricordi",
    }[cadence],
    preview: "Parole e immagini da chi li condivide con te.",
    content: (
      <>
        <Title>{cadence === "instantly" ? "C’è una novità per te" : "Le novità per te"}</Title>
        {memories.map((memory) => (
          <MemoryNews key={memory.url} language="it" memory={memory} />
        ))}
        {memories.length === 1 && memories[0] && <Action href={memories[0].url}>Apri il ricordo</Action>}
      </>
    ),
    why: (
      <>
        Ricevi questa email perché fai parte di {memories.length === 1 ? "questo ricordo" : "questi ricordi"}. Decidi tu
        quando: subito, ogni mattina, il lunedì oppure mai. <Soft href={settingsUrl}>Impostazioni delle notifiche</Soft>
      </>
    ),
  }),
};

type Reminder = EmailProps["reminder"];

const englishDay = ({ occasion, years, passed, ...reminder }: Reminder) => {
  const name = withoutLinks(reminder.name);
  const ago = years === 1 ? "one year" : `${years} years`;
  if (occasion === "event")
    return {
      title: `${years === 1 ? "One year" : `${years} years`} ago today`,
      text: `${name}: that was ${ago} ago today. Your photos and stories are here whenever you want to look back.`,
    };
  if (occasion === "passing")
    return {
      title: `Thinking of ${name} today`,
      text: `It is ${ago} today since ${name} passed away. You may like to look at a photo, light a candle, or simply know that others are thinking of ${name} too.`,
    };
  return {
    title: `Today is ${name}’s birthday`,
    text: passed
      ? `${name} would have turned ${years} today. Perhaps there is a photo you would like to see again, or a few words you would like to leave.`
      : "Perhaps there is a photo you would like to see again, or a few words you would like to leave.",
  };
};

const italianDay = ({ occasion, years, passed, ...reminder }: Reminder) => {
  const name = withoutLinks(reminder.name);
  const span = years === 1 ? "un anno" : `${years} anni`;
  if (occasion === "event")
    return {
      title: `${years === 1 ? "Un anno" : `${years} anni`} fa, oggi`,
      text: `${name}: è successo ${span} fa, proprio oggi. È tutto dove l’hai lasciato.`,
    };
  if (occasion === "passing")
    return {
      title: `Oggi il pensiero va a ${name}`,
      text: `Oggi ${years === 1 ? "è passato un anno" : `sono passati ${years} anni`} dalla scomparsa di ${name}. Forse vorrai guardare una foto, accendere una candela, o solo sapere che non sei l’unica persona a pensarci.`,
    };
  return {
    title: `Oggi è il compleanno di ${name}`,
    text: passed
      ? `Oggi ${name} avrebbe compiuto ${years === 1 ? "un anno" : `${years} anni`}. Forse c’è una foto che vorresti rivedere, o qualche parola che vorresti lasciare.`
      : "Forse c’è una foto che vorresti rivedere, o qualche parola che vorresti lasciare.",
  };
};

/** On a birthday or anniversary that the memory's owner chose. Not sent while the recipient has paused emails. */
export const reminder: Template<Reminder> = {
  en: (props) => ({
    subject: "A day to remember",
    preview: "Photos and stories to look back on.",
    content: (
      <>
        <Title>{englishDay(props).title}</Title>
        <Paragraph>{englishDay(props).text}</Paragraph>
        <Action href={props.url}>Open the memory</Action>
        <Aside>
          Some days are hard. You can pause reminders for as long as you like, and nothing is lost.{" "}
          <Soft href={props.settingsUrl}>Pause reminders</Soft>
        </Aside>
      </>
    ),
    why: "You receive this email because the memory’s owner chose to remember this day.",
  }),
  it: (props) => ({
    subject: "Un giorno da ricordare",
    preview: "Foto e storie da rivedere.",
    content: (
      <>
        <Title>{italianDay(props).title}</Title>
        <Paragraph>{italianDay(props).text}</Paragraph>
        <Action href={props.url}>Apri il ricordo</Action>
        <Aside>
          Ci sono giorni difficili. Puoi sospendere questi promemoria per tutto il tempo che vuoi: intanto non si perde
          nulla. <Soft href={props.settingsUrl}>Sospendili</Soft>
        </Aside>
      </>
    ),
    why: "Ricevi questa email perché chi custodisce il ricordo ha scelto di ricordare questo giorno.",
  }),
};

const texts = {
  en: { more: (count: number) => `And ${count} more in this memory` },
  it: { more: (count: number) => `E altre ${count} novità in questo ricordo` },
} satisfies Record<Language, object>;

const line = { ...fonts.sans, color: day.ink, fontSize: "17px", lineHeight: "27px", margin: "12px 0 0" };

/** News in one memory, each with a link. */
function MemoryNews({ language, memory }: { language: Language; memory: EmailProps["notices"]["memories"][0] }) {
  const { more } = texts[language];
  return (
    <Section style={{ marginTop: "24px" }}>
      <Heading
        as="h2"
        className="ink"
        style={{ ...fonts.serif, color: day.ink, fontSize: "21px", lineHeight: "29px", fontWeight: 500, margin: 0 }}
      >
        {withoutLinks(memory.name)}
      </Heading>
      {memory.lines.map(({ kind, actor, face, count, excerpt, url }) => [
        // A table row, so that wrapped text does not start below the picture.
        <Row key={url + kind + actor}>
          {actor && (
            <Column style={{ paddingTop: "18px", verticalAlign: "top", width: "42px" }}>
              <Face name={actor} picture={face} />
            </Column>
          )}
          <Column>
            <Text className="ink" style={{ ...line, marginTop: "20px", overflowWrap: "anywhere" }}>
              <Link className="ink" href={url} style={{ color: day.ink, textDecoration: "underline" }}>
                {noticeSentence(language, kind, withoutLinks(actor), count)}
              </Link>
            </Text>
          </Column>
        </Row>,
        excerpt && <Quote key={`${url}${kind}${actor} quote`}>{withoutLinks(excerpt)}</Quote>,
      ])}
      {memory.more > 0 && (
        <Text className="soft" style={{ ...line, color: day.soft }}>
          <Link className="soft" href={memory.url} style={{ color: day.soft, textDecoration: "underline" }}>
            {more(memory.more)}
          </Link>
        </Text>
      )}
    </Section>
  );
}
