import { elideDays } from "../../shared/italian-days.ts";
import { Action, Aside, Paragraph, Title } from "./EmailParts.tsx";
import type { EmailProps } from "./email-props.ts";
import { dayOf } from "./language.ts";
import type { Template } from "./template.ts";

/** To whoever holds a plan, 30 and 7 days before it ends. */
export const planEnding: Template<EmailProps["plan-ending"]> = {
  en: ({ plan, endsAt, days, url }) => ({
    subject: `${plan} ends on ${dayOf(endsAt, "en")}`,
    preview: "Nothing will be deleted, and all your pages stay open.",
    content: (
      <>
        <Title>Your plan ends on {dayOf(endsAt, "en")}</Title>
        <Paragraph>
          <strong>{plan}</strong> is yours until {dayOf(endsAt, "en")}. It does not renew automatically, and you will
          not be charged.
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
  it: ({ plan, endsAt, days, url }) => ({
    subject: elideDays(`${plan} finisce il ${dayOf(endsAt, "it")}`),
    preview: "Non si cancella nulla e nessuna pagina si chiude.",
    content: (
      <>
        <Title>{elideDays(`Il tuo piano finisce il ${dayOf(endsAt, "it")}`)}</Title>
        <Paragraph>
          <strong>{plan}</strong> è tuo {elideDays(`fino al ${dayOf(endsAt, "it")}`)}. Non si rinnova da sé e non viene
          addebitato nulla.
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
