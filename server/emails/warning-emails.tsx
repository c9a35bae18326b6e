import { Action, Aside, Paragraph, Title } from "./EmailParts.tsx";
import type { EmailProps } from "./email-props.ts";
import type { Template } from "./template.ts";

/** To those who keep what a link opens: somebody guesses at its PIN, or has forgotten it. */
export const linkLocked: Template<EmailProps["link-locked"]> = {
  en: ({ name, label, url }) => ({
    subject: "A link of yours is locked for a while",
    preview: "Its PIN was entered wrongly several times. Nothing was opened.",
    content: (
      <>
        <Title>Wrong PINs at a link of yours</Title>
        <Paragraph>
          At {label ? <>the link “{label}” to </> : "a link to "}
          <strong>{name}</strong> a wrong PIN was entered several times in a row. The link is closed for a while by
          itself. Nothing was opened, and everything in it is safe.
        </Paragraph>
        <Paragraph>
          Most often it is somebody who mistyped or forgot the PIN: tell it to them once more. If you do not expect
          anybody, give the link a new PIN, or make the link anew: the old one then opens nothing.
        </Paragraph>
        <Action href={url}>Look after the link</Action>
        <Aside>The longer somebody goes on guessing, the longer the link stays closed, up to a day each time.</Aside>
      </>
    ),
  }),
  it: ({ name, label, url }) => ({
    subject: "Un tuo link è bloccato per un po’",
    preview: "Il PIN è stato sbagliato più volte. Non è stato aperto nulla.",
    content: (
      <>
        <Title>PIN sbagliati a un tuo link</Title>
        <Paragraph>
          Al link {label ? <>«{label}» </> : ""}di <strong>{name}</strong> è stato inserito più volte di seguito un PIN
          sbagliato. Il link si è chiuso da solo per un po’. Non è stato aperto nulla, ed è tutto al sicuro.
        </Paragraph>
        <Paragraph>
          Di solito è qualcuno che ha sbagliato a digitare o ha dimenticato il PIN: basta ridirglielo. Se non aspetti
          nessuno, dai al link un nuovo PIN oppure rifai il link: quello vecchio non aprirà più nulla.
        </Paragraph>
        <Action href={url}>Controlla il link</Action>
        <Aside>
          Più a lungo qualcuno tira a indovinare, più a lungo il link resta chiuso, fino a un giorno per volta.
        </Aside>
      </>
    ),
  }),
};

/** To whom the storage belongs, once at each step. */
export const storageWarning: Template<EmailProps["storage-warning"]> = {
  en: ({ percent, url }) => ({
    subject: percent === 100 ? "Your storage is full" : "Your storage is filling up",
    preview: "Everything you keep is safe.",
    content: (
      <>
        <Title>{percent === 100 ? "Your storage is full" : `More than ${percent}% of your storage is used`}</Title>
        <Paragraph>
          Everything you keep is safe, and stays readable, shareable and downloadable.{" "}
          {percent === 100
            ? "Nothing more can be added for now."
            : "There is still room, but it is good to know before an upload runs into the end."}
        </Paragraph>
        <Action href={url}>See what takes up room</Action>
        <Aside>There you find the largest items, and the plans that hold more.</Aside>
      </>
    ),
  }),
  it: ({ percent, url }) => ({
    subject: percent === 100 ? "Il tuo spazio è pieno" : "Il tuo spazio si sta riempiendo",
    preview: "Tutto ciò che conservi è al sicuro.",
    content: (
      <>
        <Title>{percent === 100 ? "Il tuo spazio è pieno" : `Hai usato più del ${percent}% del tuo spazio`}</Title>
        <Paragraph>
          Tutto ciò che conservi è al sicuro, e resta leggibile, condivisibile e scaricabile.{" "}
          {percent === 100
            ? "Per ora non si può aggiungere altro."
            : "C’è ancora posto, ma è bene saperlo prima che un caricamento si fermi a metà."}
        </Paragraph>
        <Action href={url}>Guarda che cosa occupa spazio</Action>
        <Aside>Lì trovi gli elementi più grandi, e i piani che contengono di più.</Aside>
      </>
    ),
  }),
};
