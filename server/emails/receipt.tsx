import { Text } from "react-email";
import { elideDays } from "../../shared/italian-days.ts";
import { moneyText } from "../../shared/money.ts";
import { day } from "./colours.ts";
import { Action, Aside, fonts, Paragraph, Title } from "./EmailParts.tsx";
import type { EmailProps } from "./email-props.ts";
import { dayOf } from "./language.ts";
import type { Template } from "./template.ts";

type Receipt = EmailProps["receipt"];

/** To the buyer of a paid order, once. */
export const receipt: Template<Receipt> = {
  en: (props, timeZone) => ({
    subject: `Your receipt ${props.number}`,
    preview: `${money(props, props.total)}, paid on ${dayOf(props.paidAt, "en", timeZone)}.`,
    content: (
      <>
        <Title>Thank you</Title>
        <Paragraph>
          Your payment of {money(props, props.total)} arrived on {dayOf(props.paidAt, "en", timeZone)}. This is your
          receipt {props.number}.
        </Paragraph>
        <Lines
          receipt={props}
          texts={{
            discount: "Discount",
            total: "Paid",
            tax: "including tax",
            year: "1 year",
            years: (n) => `${n} years`,
          }}
        />
        <Action href={props.ordersUrl}>See your orders</Action>
        <Aside>What you bought is ready in your account. Please keep this email for your records.</Aside>
      </>
    ),
  }),
  it: (props, timeZone) => ({
    subject: `La tua ricevuta ${props.number}`,
    preview: elideDays(`${money(props, props.total)}, pagati il ${dayOf(props.paidAt, "it", timeZone)}.`),
    content: (
      <>
        <Title>Grazie</Title>
        <Paragraph>
          Il tuo pagamento di {money(props, props.total)} è arrivato{" "}
          {elideDays(`il ${dayOf(props.paidAt, "it", timeZone)}`)}. Questa è la ricevuta {props.number}.
        </Paragraph>
        <Lines
          receipt={props}
          texts={{
            discount: "Sconto",
            total: "Pagato",
            tax: "di cui imposte",
            year: "1 anno",
            years: (n) => `${n} anni`,
          }}
        />
        <Action href={props.ordersUrl}>Vedi i tuoi ordini</Action>
        <Aside>Quello che hai acquistato è pronto nel tuo account. Conserva questa email per i tuoi documenti.</Aside>
      </>
    ),
  }),
};

interface Words {
  discount: string;
  total: string;
  tax: string;
  year: string;
  years: (count: number) => string;
}

function Lines({ receipt: paid, texts }: { receipt: Receipt; texts: Words }) {
  const term = (years: number | null) => (years === null ? "" : `, ${years === 1 ? texts.year : texts.years(years)}`);
  const off = paid.voucher ? `${texts.discount} (${paid.voucher})` : texts.discount;
  return (
    <>
      {paid.lines.map(({ name, years, quantity, amount }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a letter is written once.
        <Row key={place} left={`${quantity} × ${name}${term(years)}`} right={money(paid, amount)} />
      ))}
      {paid.discount > 0 && <Row left={off} right={`−${money(paid, paid.discount)}`} />}
      <Row left={texts.total} right={money(paid, paid.total)} strong />
      {paid.tax > 0 && <Row left={texts.tax} right={money(paid, paid.tax)} />}
    </>
  );
}

const Row = ({ left, right, strong }: { left: string; right: string; strong?: boolean }) => (
  <Text
    className="ink"
    style={{
      ...fonts.sans,
      color: day.ink,
      fontSize: "17px",
      fontWeight: strong ? 600 : 400,
      lineHeight: "27px",
      margin: "8px 0 0",
    }}
  >
    {left}: {right}
  </Text>
);

const money = ({ currency }: Receipt, amount: number) => moneyText(amount, currency);
