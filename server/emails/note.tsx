import { Section, toPlainText } from "react-email";
import { isolated } from "../../shared/isolated.ts";
import { cleanEmail, withDirections } from "../html/html.ts";
import { day } from "./colours.ts";
import { Action, Aside, fonts, quote, Title } from "./EmailParts.tsx";
import type { EmailProps } from "./email-props.ts";
import type { Template, Wording } from "./template.ts";
import { unescaped, visibleText, withVisibleTargets } from "./visible-targets.ts";

interface Texts {
  /** Names the sender at the top and, with the address alone, in the subject. */
  sender: (who: string) => string;
  /** Marks a title as the sender's. */
  quoted: (title: string) => string;
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
      sender: (who) => `From ${who}`,
      quoted: (title) => `“${title}”`,
      by: (from) => `You receive this email because ${from} sent it to you through Skies.`,
      form: "This message was sent by a form on Skies.",
      answer: "You receive this email because you wrote to us through Skies.",
    }),
  it: (props) =>
    email(props, {
      sender: (who) => `Da ${who}`,
      quoted: (title) => `«${title}»`,
      by: (from) => `Ricevi questa email perché ${from} te l’ha inviata tramite Skies.`,
      form: "Questo messaggio è stato inviato con un modulo di Skies.",
      answer: "Ricevi questa email perché ci hai scritto tramite Skies.",
    }),
};

const PREVIEW_LENGTH = 140;

function email(props: EmailProps["note"], texts: Texts): Wording {
  const { html, from, name, site, sort } = props;
  const title = visibleText(props.subject);
  const clean = withVisibleTargets(cleanEmail(html, site), site);
  const text = toPlainText(clean, { wordwrap: false, selectors: [{ selector: "a", options: { ignoreHref: true } }] });
  const { before, action, after } = partsOf(clean, site);
  const sender = from && texts.sender(name ? `${isolated(name)}, ${from}` : from);
  return {
    // Anybody can write a subject that seems to be ours. The address is the sender's own.
    subject: from ? `${texts.sender(from)}: ${title}` : title,
    preview: `${sender ? `${sender}: ` : ""}${text.replaceAll(/\s+/g, " ").trim()}`.slice(0, PREVIEW_LENGTH),
    content: (
      <>
        {sender && <Aside>{sender}</Aside>}
        <Title>{sender ? texts.quoted(isolated(title)) : title}</Title>
        <Written html={before} />
        {action && <Action href={action.href}>{action.label}</Action>}
        {after && <Written html={after} />}
      </>
    ),
    why: from ? texts.by(from) : sort === "answer" ? texts.answer : texts.form,
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
  const ownLink = [...html.matchAll(LINE)].find(([, href = ""]) => site && href.startsWith(`${site}/`));
  if (!ownLink) return { before: html, after: "" };
  const [line, href = "", label = ""] = ownLink;
  return {
    before: html.slice(0, ownLink.index),
    action: { href: unescaped(href), label: unescaped(label) },
    after: html.slice(ownLink.index + line.length),
  };
}

/** Adds inline styles: mail programs remove style sheets, and the sanitiser removes all styles. */
const dressed = (html: string) =>
  withDirections(
    html
      .replaceAll("<blockquote>", `<blockquote class="quote" style="${css(quote)}">`)
      .replaceAll("<p>", '<p style="margin:16px 0 0">')
      .replaceAll(/(<blockquote[^<>]*>)<p style="[^"]*">/g, '$1<p style="margin:0">')
      .replaceAll("<a ", `<a class="link" style="color:${day.button};text-decoration:underline" `),
  );

const css = (style: object) =>
  Object.entries(style)
    .map(([name, value]) => `${name.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}:${value}`)
    .join(";")
    .replaceAll('"', "'");
