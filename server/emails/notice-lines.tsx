import { Heading, Link, Section, Text } from "react-email";
import { day } from "./colours.ts";
import { Face, fonts, Quote } from "./EmailParts.tsx";
import type { EmailProps, NoticeLine } from "./email-props.ts";
import type { Language } from "./language.ts";

type Say = Record<NoticeLine["kind"], (who: string, count: number) => string>;

const english: Say = {
  comment: (who) => `${who} wrote a comment`,
  answer: (who) => `${who} replied in a conversation with you`,
  mention: (who) => `${who} mentioned you`,
  added: (who, count) => (count === 1 ? `${who} added a photo or video` : `${who} added ${count} photos and videos`),
  story: (who) => `${who} added a story`,
  held: (_, count) =>
    count === 1
      ? "1 contribution is waiting for your approval"
      : `${count} contributions are waiting for your approval`,
  accepted: (who) => `${who} accepted the invitation`,
  declined: (who) => `${who} declined the invitation`,
  offered: (who) => `${who} would like you to become the owner of this memory`,
  "offer-declined": (who) => `${who} declined to become the owner of this memory`,
  "taken-over": (who) => `${who} is now the owner of this memory`,
};

const italian: Say = {
  comment: (who) => `${who} ha scritto un commento`,
  answer: (who) => `${who} ha risposto in una conversazione con te`,
  mention: (who) => `${who} ti ha menzionato`,
  added: (who, count) =>
    count === 1 ? `${who} ha aggiunto una foto o un video` : `${who} ha aggiunto ${count} foto e video`,
  story: (who) => `${who} ha raccontato una storia`,
  held: (_, count) =>
    count === 1 ? "1 contributo aspetta la tua approvazione" : `${count} contributi aspettano la tua approvazione`,
  accepted: (who) => `${who} ha accettato l’invito`,
  declined: (who) => `${who} ha rifiutato l’invito`,
  offered: (who) => `${who} vorrebbe affidarti la proprietà di questo ricordo`,
  "offer-declined": (who) => `${who} non ha accettato la proprietà di questo ricordo`,
  "taken-over": (who) => `Ora questo ricordo appartiene a ${who}`,
};

const texts = {
  en: { say: english, someone: "Someone", more: (count: number) => `And ${count} more in this memory` },
  it: { say: italian, someone: "Qualcuno", more: (count: number) => `E altre ${count} novità in questo ricordo` },
} satisfies Record<Language, object>;

const line = { ...fonts.sans, color: day.ink, fontSize: "17px", lineHeight: "27px", margin: "12px 0 0" };

/** What is new in one memory, each with the way to it. */
export function MemoryNews({ language, memory }: { language: Language; memory: EmailProps["notices"]["memories"][0] }) {
  const { say, someone, more } = texts[language];
  return (
    <Section style={{ marginTop: "24px" }}>
      <Heading
        as="h2"
        className="ink"
        style={{ ...fonts.serif, color: day.ink, fontSize: "21px", lineHeight: "29px", fontWeight: 500, margin: 0 }}
      >
        {memory.name}
      </Heading>
      {memory.lines.map(({ kind, actor, face, count, excerpt, url }) => [
        <Text key={url + kind + actor} className="ink" style={{ ...line, overflowWrap: "anywhere" }}>
          {actor && <Face name={actor} picture={face} />}
          <Link className="ink" href={url} style={{ color: day.ink, textDecoration: "underline" }}>
            {say[kind](actor || someone, count)}
          </Link>
        </Text>,
        excerpt && <Quote key={`${url}${kind}${actor} quote`}>{excerpt}</Quote>,
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
