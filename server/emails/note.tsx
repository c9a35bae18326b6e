import { Section, toPlainText } from "react-email";
import { cleanEmail } from "../html/html.ts";
import { day } from "./colours.ts";
import { Aside, fonts, Title } from "./EmailParts.tsx";
import type { EmailProps } from "./email-props.ts";
import type { Template, Wording } from "./template.ts";

/** What a person wrote, by the paper of every letter; the footer is in the language of whoever wrote it. */
export const note: Template<EmailProps["note"]> = {
  en: (props) => letter(props, (from) => `${from} sent you this through Skies.`),
  it: (props) => letter(props, (from) => `${from} ti ha scritto tramite Skies.`),
};

const PREVIEW_LENGTH = 140;

function letter({ subject, html, from, site }: EmailProps["note"], sender: (from: string) => string): Wording {
  const clean = cleanEmail(html, site);
  const words = toPlainText(clean, { wordwrap: false, selectors: [{ selector: "a", options: { ignoreHref: true } }] });
  return {
    subject,
    preview: words.replaceAll(/\s+/g, " ").trim().slice(0, PREVIEW_LENGTH),
    content: (
      <>
        <Title>{subject}</Title>
        <Section
          className="ink"
          style={{ ...fonts.sans, color: day.ink, fontSize: "17px", lineHeight: "27px", overflowWrap: "anywhere" }}
        >
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned when it was stored, and again here. */}
          <div dangerouslySetInnerHTML={{ __html: clean }} />
        </Section>
        {from && <Aside>{sender(from)}</Aside>}
      </>
    ),
  };
}
