import { elideDays } from "../../shared/italian-days.ts";
import { Action, Aside, Paragraph, Title } from "./EmailParts.tsx";
import type { EmailProps } from "./email-props.ts";
import { dayOf } from "./language.ts";
import type { Template } from "./template.ts";
import { withoutLinks } from "./visible-targets.ts";

/** To the holder of a plan, 30 and 7 days before it ends. */
export const planEnding: Template<EmailProps["plan-ending"]> = {
  en: ({ plan, endsAt, days, url }, timeZone) => ({
    subject: `${plan} ends on ${dayOf(endsAt, "en", timeZone)}`,
    preview: "Nothing will be deleted, and all your pages stay open.",
    content: (
      <>
        <Title>Your plan ends on {dayOf(endsAt, "en", timeZone)}</Title>
        <Paragraph>
          <strong>{plan}</strong> is yours until {dayOf(endsAt, "en", timeZone)}. It does not renew automatically, and
          you will not be charged.
        </Paragraph>
        <Paragraph>
          If you let it end, nothing is deleted and all your pages stay open: everything stays readable, shareable and
          downloadable. You just cannot add anything beyond the free limits.
        </Paragraph>
        <Paragraph>You lose nothing by renewing early: the new term starts when the current one ends.</Paragraph>
        <Action href={url}>Renew or change your plan</Action>
        <Aside>
          {days > 7 ? "We will remind you once more, seven days before it ends." : "This is the last reminder."}
        </Aside>
      </>
    ),
  }),
  it: ({ plan, endsAt, days, url }, timeZone) => ({
    subject: elideDays(`${plan} finisce il ${dayOf(endsAt, "it", timeZone)}`),
    preview: "Non si cancella nulla e nessuna pagina si chiude.",
    content: (
      <>
        <Title>{elideDays(`Il tuo piano finisce il ${dayOf(endsAt, "it", timeZone)}`)}</Title>
        <Paragraph>
          <strong>{plan}</strong> è tuo {elideDays(`fino al ${dayOf(endsAt, "it", timeZone)}`)}. Non si rinnova da sé e
          non viene addebitato nulla.
        </Paragraph>
        <Paragraph>
          Se lo lasci finire, non si cancella nulla e nessuna pagina si chiude: tutto ciò che custodisci si può ancora
          leggere, condividere e scaricare. Soltanto, oltre i limiti gratuiti non si può aggiungere altro.
        </Paragraph>
        <Paragraph>
          Se lo rinnovi, non perdi nemmeno un giorno: il nuovo periodo comincia dove finisce quello attuale, anche se lo
          fai con anticipo.
        </Paragraph>
        <Action href={url}>Rinnova o cambia il piano</Action>
        <Aside>
          {days > 7
            ? "Te lo ricorderemo ancora una volta, sette giorni prima della fine."
            : "Questo è l’ultimo promemoria."}
        </Aside>
      </>
    ),
  }),
};

/** To the managers of a link that is locked after wrong PINs, which somebody guessed or forgot. */
export const linkLocked: Template<EmailProps["link-locked"]> = {
  en: ({ name, label, url }) => ({
    subject: "One of your links is locked for a while",
    preview: "Its PIN was entered wrongly several times. Nobody got in.",
    content: (
      <>
        <Title>Your link is locked for a while</Title>
        <Paragraph>
          A wrong PIN was entered several times in a row for{" "}
          {label ? <>the link “{withoutLinks(label)}” to </> : "a link to "}
          <strong>{withoutLinks(name)}</strong>. To protect the memory, the link is locked for a while. Nobody got in,
          and everything is safe.
        </Paragraph>
        <Paragraph>
          Usually someone has mistyped or forgotten the PIN: just tell them the PIN again. If you do not know who it
          could be, change the PIN or reset the link, so that the old one stops working.
        </Paragraph>
        <Action href={url}>Check the link</Action>
        <Aside>Each further wrong attempt locks the link for longer, up to one day.</Aside>
      </>
    ),
  }),
  it: ({ name, label, url }) => ({
    subject: "Un tuo link è bloccato per un po’",
    preview: "Il PIN è stato sbagliato più volte. Non è entrato nessuno.",
    content: (
      <>
        <Title>Un tuo link è bloccato per un po’</Title>
        <Paragraph>
          Al link {label ? <>«{withoutLinks(label)}» </> : ""}di <strong>{withoutLinks(name)}</strong> è stato inserito
          più volte di seguito un PIN sbagliato. Per proteggere il ricordo, il link è bloccato per un po’. Non è entrato
          nessuno, ed è tutto al sicuro.
        </Paragraph>
        <Paragraph>
          Di solito è qualcuno che ha sbagliato a digitare o ha dimenticato il PIN: basta ridirglielo. Se non aspetti
          nessuno, cambia il PIN oppure reimposta il link: quello vecchio smetterà di funzionare.
        </Paragraph>
        <Action href={url}>Controlla il link</Action>
        <Aside>Ogni nuovo tentativo sbagliato blocca il link più a lungo, fino a un giorno.</Aside>
      </>
    ),
  }),
};

/** To the account's owner, once for each of the percentages. */
export const storageWarning: Template<EmailProps["storage-warning"]> = {
  en: ({ percent, url }) => ({
    subject: percent === 100 ? "Your storage is full" : "Your storage is filling up",
    preview: "Everything in it is safe.",
    content: (
      <>
        <Title>{percent === 100 ? "Your storage is full" : `More than ${percent}% of your storage is used`}</Title>
        <Paragraph>
          Everything in it is safe, and stays readable, shareable and downloadable.{" "}
          {percent === 100
            ? "Nothing more can be added for now."
            : "There is still some left, but it is good to know before an upload fails."}
        </Paragraph>
        <Action href={url}>See what uses storage</Action>
        <Aside>You will find your largest photos, videos and recordings there, and the plans with more storage.</Aside>
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
        <Aside>Lì trovi le foto, i video e le registrazioni più grandi, e i piani che contengono di più.</Aside>
      </>
    ),
  }),
};

/** To the owner of a memory, when originals are damaged in the store and no copy of them is intact. At most one a day. */
export const fileLost: Template<EmailProps["file-lost"]> = {
  en: ({ name, files, url }) => ({
    subject:
      files === 1 ? "A photo, video or recording needs your help" : "Some photos, videos and recordings need your help",
    preview: "If you have the original, please add it again.",
    content: (
      <>
        <Title>{files === 1 ? "An original is damaged" : "Some originals are damaged"}</Title>
        <Paragraph>
          We read every file again from time to time. In <strong>{withoutLinks(name)}</strong>,{" "}
          {files === 1
            ? "the original of a photo, video or recording can no longer be read as you stored it, and we found no intact copy."
            : `the originals of ${files} photos, videos and recordings can no longer be read as they were stored, and we found no intact copies.`}{" "}
          We are sorry.
        </Paragraph>
        <Paragraph>
          What you see on the page may still be fine, because smaller copies are stored separately. If you or your
          family still have the original on a phone, a computer or a disk, please add it again, and only then delete the
          damaged one.
        </Paragraph>
        <Action href={url}>{files === 1 ? "See which one" : "Open the memory"}</Action>
        <Aside>Everything else in the memory is as it was. We keep trying to restore the original.</Aside>
      </>
    ),
  }),
  it: ({ name, files, url }) => ({
    subject:
      files === 1
        ? "Una foto, un video o una registrazione ha bisogno di te"
        : "Alcune foto, video e registrazioni hanno bisogno di te",
    preview: "Se hai ancora l’originale, aggiungilo di nuovo.",
    content: (
      <>
        <Title>{files === 1 ? "Un originale è danneggiato" : "Alcuni originali sono danneggiati"}</Title>
        <Paragraph>
          Di tanto in tanto rileggiamo ogni file. In <strong>{withoutLinks(name)}</strong>,{" "}
          {files === 1
            ? "l’originale di una foto, di un video o di una registrazione non si legge più come era stato salvato, e non ne abbiamo trovato una copia integra."
            : `gli originali di ${files} foto, video e registrazioni non si leggono più come erano stati salvati, e non ne abbiamo trovato copie integre.`}{" "}
          Ci dispiace molto.
        </Paragraph>
        <Paragraph>
          Quello che vedi nella pagina può essere ancora a posto, perché le copie più piccole sono conservate a parte.
          Se tu o la tua famiglia avete ancora l’originale su un telefono, un computer o un disco, aggiungilo di nuovo,
          e solo dopo elimina quello danneggiato.
        </Paragraph>
        <Action href={url}>{files === 1 ? "Guarda quale" : "Apri il ricordo"}</Action>
        <Aside>Tutto il resto del ricordo è com’era. Continuiamo a provare a recuperare l’originale.</Aside>
      </>
    ),
  }),
};
