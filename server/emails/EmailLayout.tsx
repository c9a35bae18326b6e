import type { ReactNode } from "react";
import { Body, Container, Head, Hr, Html, Img, Link, Preview, Section, Text } from "react-email";
import { day, gradient, night } from "./colours.ts";
import { fonts } from "./EmailParts.tsx";
import type { Language } from "./language.ts";

// Inline styles define the light theme. These rules override them on devices in dark mode.
const darkRules = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .page, .page > table > tbody > tr > td { background-color: ${night.page} !important; }
    .card { background-color: ${night.card} !important; border-color: ${night.line} !important; }
    .sky { background-color: ${night.sky[1]} !important; background-image: ${gradient(night)} !important; }
    .ink { color: ${night.ink} !important; }
    .soft { color: ${night.soft} !important; }
    .line { border-top-color: ${night.line} !important; }
    .button { background-color: ${night.button} !important; color: ${night.onButton} !important; }
    .link { color: ${night.button} !important; }
    .quote { background-color: ${night.wash} !important; border-left-color: ${night.button} !important; color: ${night.ink} !important; }
    .code { background-color: ${night.wash} !important; color: ${night.ink} !important; }
  }
`;

const footers: Record<Language, string> = {
  en: "Skies, your private memory portal. To write to us, simply reply to this email.",
  it: "Skies, il tuo portale privato dei ricordi. Per scriverci basta rispondere a questa email.",
};

/** Default reason for an email without its own: it is about an account. */
const reasons: Record<Language, string> = {
  en: "You receive this email because it is about your Skies account.",
  it: "Ricevi questa email perché riguarda il tuo account Skies.",
};

const endings: Record<Language, { text: string; link: string }> = {
  en: { text: "No longer want emails like this?", link: "Unsubscribe" },
  it: { text: "Preferisci non ricevere email come questa?", link: "Annulla l’iscrizione" },
};

interface EmailLayoutProps {
  language: Language;
  title: string;
  preview: string;
  /** Cause of the email, and the reason why the recipient receives it. */
  why?: ReactNode;
  /** Content id of the attached header picture. Without one, the header is a strip of sky. */
  picture?: string | undefined;
  /** URL that unsubscribes the recipient from such emails. */
  unsubscribeUrl?: string | undefined;
  children: ReactNode;
}

const small = { ...fonts.sans, color: day.soft, fontSize: "15px", lineHeight: "23px" };

/** Layout of every email: header with a picture or a strip of sky, content, and footer with sender and reason. */
export function EmailLayout(props: EmailLayoutProps) {
  const { language, title, preview, why = reasons[language], picture, unsubscribeUrl, children } = props;
  return (
    <Html lang={language}>
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{title}</title>
        <style>{darkRules}</style>
      </Head>
      <Body className="page" lang={language} style={{ margin: 0, padding: "24px 12px", backgroundColor: day.page }}>
        <Preview useTitleTag={false}>{preview}</Preview>
        <main>
          <Container
            className="card"
            style={{
              maxWidth: "560px",
              backgroundColor: day.card,
              border: `1px solid ${day.line}`,
              borderRadius: "16px",
              borderCollapse: "separate",
              overflow: "hidden",
            }}
          >
            {picture ? (
              <Section data-skip-in-text>
                {/* The alternative text is empty: the email names the memory, and a blocked picture leaves no gap. */}
                <Img src={`cid:${picture}`} alt="" width="560" style={{ width: "100%", height: "auto" }} />
                <Wordmark padding="20px 32px 0" size="20px" />
              </Section>
            ) : (
              <Section
                className="sky"
                data-skip-in-text
                style={{ backgroundColor: day.sky[1], backgroundImage: gradient(day) }}
              >
                <Wordmark padding="28px 32px 36px" size="26px" />
              </Section>
            )}
            <Section style={{ padding: picture ? "0 32px 28px" : "16px 32px 28px" }}>
              {children}
              <Hr className="line" style={{ borderTop: `1px solid ${day.line}`, margin: "32px 0 0" }} />
              <Text className="soft" style={{ ...small, margin: "16px 0 0", overflowWrap: "anywhere" }}>
                {why}
              </Text>
              <Text className="soft" style={{ ...small, margin: "8px 0 0" }}>
                {footers[language]}
              </Text>
              {unsubscribeUrl && (
                <Text className="soft" style={{ ...small, margin: "8px 0 0" }}>
                  {endings[language].text}{" "}
                  <Link className="soft" href={unsubscribeUrl} style={{ color: day.soft, textDecoration: "underline" }}>
                    {endings[language].link}
                  </Link>
                </Text>
              )}
            </Section>
          </Container>
        </main>
      </Body>
    </Html>
  );
}

const Wordmark = ({ padding, size }: { padding: string; size: string }) => (
  <Text
    className="ink"
    style={{ ...fonts.serif, color: day.ink, fontSize: size, lineHeight: "32px", margin: 0, padding }}
  >
    Skies
  </Text>
);
