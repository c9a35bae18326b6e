import { Action, Aside, Paragraph, Quote, Title } from "./EmailParts.tsx";
import type { EmailProps } from "./email-props.ts";
import type { Template } from "./template.ts";
import { withoutLinks } from "./visible-targets.ts";

type Reported = EmailProps["content-reported"];

const ITEMS = {
  en: { memory: "The memory itself", media: "A photo, video or recording", story: "A story", comment: "A comment" },
  it: {
    memory: "Il ricordo stesso",
    media: "Una foto, un video o una registrazione",
    story: "Una storia",
    comment: "Un commento",
  },
};

const REASONS = {
  en: {
    hurtful: "it insults or threatens someone",
    private: "it shows something private",
    "not-theirs": "it uses something without permission",
    unlawful: "it may be illegal",
    unwanted: "it is spam or advertising",
    other: "another reason",
  },
  it: {
    hurtful: "insulta o minaccia qualcuno",
    private: "mostra qualcosa di privato",
    "not-theirs": "usa qualcosa senza permesso",
    unlawful: "potrebbe essere illegale",
    unwanted: "è spam o pubblicità",
    other: "un altro motivo",
  },
};

/** To the owner of a memory with reported content. The email does not name the reporter. */
export const contentReported: Template<Reported> = {
  en: ({ decision, item, memory, reason, words: excerpt, url }) => ({
    subject:
      decision === "hide" ? "We have hidden something in your memory" : "Please look at something in your memory",
    preview: "Somebody reported it to us.",
    content: (
      <>
        <Title>{decision === "hide" ? "We have hidden something" : "Please have a look"}</Title>
        <Paragraph>
          {ITEMS.en[item]} in “{withoutLinks(memory)}” was reported to us: {REASONS.en[reason]}.
        </Paragraph>
        <Paragraph>
          {decision === "hide"
            ? "We have hidden it. Nothing is deleted: you find it with everything that is hidden, where you can delete it or show it again."
            : "Nothing has changed. Please look whether it should stay, and answer us by replying to this email."}
        </Paragraph>
        {excerpt && <Quote>{excerpt}</Quote>}
        {url && <Action href={url}>{decision === "hide" ? "See what is hidden" : "Open the memory"}</Action>}
        <Aside>If you think that this is a mistake, simply reply to this email.</Aside>
      </>
    ),
    why: "You receive this email because this memory is yours.",
  }),
  it: ({ decision, item, memory, reason, words: excerpt, url }) => ({
    subject: decision === "hide" ? "Abbiamo nascosto qualcosa nel tuo ricordo" : "Dai un’occhiata al tuo ricordo",
    preview: "Ci è arrivata una segnalazione.",
    content: (
      <>
        <Title>{decision === "hide" ? "Abbiamo nascosto qualcosa" : "Dai un’occhiata"}</Title>
        <Paragraph>
          {ITEMS.it[item]} in «{withoutLinks(memory)}» ci è stato segnalato: {REASONS.it[reason]}.
        </Paragraph>
        <Paragraph>
          {decision === "hide"
            ? "L’abbiamo nascosto. Non si cancella nulla: lo trovi insieme a ciò che è nascosto, dove puoi eliminarlo o mostrarlo di nuovo."
            : "Non è cambiato nulla. Guarda se è giusto che resti e rispondici, semplicemente, a questa email."}
        </Paragraph>
        {excerpt && <Quote>{excerpt}</Quote>}
        {url && <Action href={url}>{decision === "hide" ? "Vedi ciò che è nascosto" : "Apri il ricordo"}</Action>}
        <Aside>Se pensi che sia un errore, rispondi semplicemente a questa email.</Aside>
      </>
    ),
    why: "Ricevi questa email perché questo ricordo è tuo.",
  }),
};
