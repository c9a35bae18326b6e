import { Section, toPlainText } from "react-email";
import { cleanEmail } from "../html/html.ts";
import { day } from "./colours.ts";
import { Action, fonts, quote, Title } from "./EmailParts.tsx";
import type { EmailProps } from "./email-props.ts";
import type { Template, Wording } from "./template.ts";

interface Whys {
  by: (from: string) => string;
  /** For a message from a form, without a signed-in sender. */
  form: string;
  /** For an answer by staff. */
  answer: string;
}

/** A message that a person wrote, in the layout of every email. The footer is in the sender's language. */
export const note: Template<EmailProps["note"]> = {
  en: (props) =>
    email(props, {
      by: (from) => `You receive this email because ${from} sent it to you through Skies.`,
      form: "This message was sent by a form on Skies.",
      answer: "You receive this email because you wrote to us through Skies.",
    }),
  it: (props) =>
    email(props, {
      by: (from) => `Ricevi questa email perché ${from} te l’ha inviata tramite Skies.`,
      form: "Questo messaggio è stato inviato con un modulo di Skies.",
      answer: "Ricevi questa email perché ci hai scritto tramite Skies.",
    }),
};

const PREVIEW_LENGTH = 140;

function email({ subject, html, from, site, sort }: EmailProps["note"], { by, form, answer }: Whys): Wording {
  const clean = cleanEmail(html, site);
  const words = toPlainText(clean, { wordwrap: false, selectors: [{ selector: "a", options: { ignoreHref: true } }] });
  const { before, action, after } = partsOf(clean, site);
  return {
    subject,
    preview: words.replaceAll(/\s+/g, " ").trim().slice(0, PREVIEW_LENGTH),
    content: (
      <>
        <Title>{subject}</Title>
        <Written html={before} />
        {action && <Action href={action.href}>{action.label}</Action>}
        {after && <Written html={after} />}
      </>
    ),
    why: from ? by(from) : sort === "answer" ? answer : form,
  };
}

const Written = ({ html }: { html: string }) => (
  <Section
    className="ink"
    style={{ ...fonts.sans, color: day.ink, fontSize: "17px", lineHeight: "27px", overflowWrap: "anywhere" }}
  >
    {/* biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned when it was stored, and again here. */}
    <div dangerouslySetInnerHTML={{ __html: dressed(html) }} />
  </Section>
);

/** A paragraph that contains only a link, as the sanitiser writes it. */
const LINE = /<p><a href="([^"]*)"[^>]*>([^<]*)<\/a><\/p>/g;

/** Splits a message at its first paragraph that contains only a link to `site`. That link becomes the button. */
function partsOf(html: string, site: string | undefined) {
  const found = [...html.matchAll(LINE)].find(([, href = ""]) => site && href.startsWith(`${site}/`));
  if (!found) return { before: html, after: "" };
  const [line, href = "", label = ""] = found;
  return {
    before: html.slice(0, found.index),
    action: { href: unescaped(href), label: unescaped(label) },
    after: html.slice(found.index + line.length),
  };
}

const SIGNS: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
const unescaped = (text: string) => text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (sign) => SIGNS[sign] ?? sign);

/** Adds inline styles: mail programs remove style sheets, and the sanitiser removes all styles. */
const dressed = (html: string) =>
  html
    .replaceAll("<blockquote>", `<blockquote class="quote" style="${css(quote)}">`)
    .replaceAll("<p>", '<p style="margin:16px 0 0">')
    .replaceAll(/(<blockquote[^>]*>)<p style="[^"]*">/g, '$1<p style="margin:0">')
    .replaceAll("<a ", `<a class="link" style="color:${day.button};text-decoration:underline" `);

const css = (style: object) =>
  Object.entries(style)
    .map(([name, value]) => `${name.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}:${value}`)
    .join(";")
    .replaceAll('"', "'");
