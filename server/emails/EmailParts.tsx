import type { ReactNode } from "react";
import { Button, Heading, Img, Link, Text } from "react-email";
import { avatarOf } from "../../shared/avatar.ts";
import { day } from "./colours.ts";

export const fonts = {
  serif: { fontFamily: "Literata, Georgia, 'Times New Roman', serif" },
  sans: { fontFamily: "'Source Sans 3', 'Segoe UI', Roboto, Helvetica, Arial, sans-serif" },
};

const body = { ...fonts.sans, color: day.ink, fontSize: "17px", lineHeight: "27px", margin: "16px 0 0" };

export const Title = ({ children }: { children: ReactNode }) => (
  <Heading
    as="h1"
    className="ink"
    style={{
      ...fonts.serif,
      color: day.ink,
      fontSize: "28px",
      lineHeight: "36px",
      fontWeight: 500,
      margin: "16px 0 0",
    }}
  >
    {children}
  </Heading>
);

export const Paragraph = ({ children }: { children: ReactNode }) => (
  <Text className="ink" style={body}>
    {children}
  </Text>
);

/** Secondary paragraph in smaller, muted text. */
export const Aside = ({ children }: { children: ReactNode }) => (
  <Text className="soft" style={{ ...body, color: day.soft, fontSize: "16px", lineHeight: "25px" }}>
    {children}
  </Text>
);

/** Primary button, large enough for touch screens. */
export const Action = ({ href, children }: { href: string; children: ReactNode }) => (
  <Text style={{ margin: "24px 0 8px" }}>
    <Button
      className="button"
      href={href}
      style={{
        ...fonts.sans,
        backgroundColor: day.button,
        color: day.onButton,
        borderRadius: "999px",
        fontSize: "18px",
        fontWeight: 600,
        lineHeight: "24px",
        padding: "15px 34px",
        textAlign: "center",
      }}
    >
      {children}
    </Button>
  </Text>
);

/** Secondary link on a separate line. */
export const Other = ({ href, children }: { href: string; children: ReactNode }) => (
  <Text style={body}>
    <Link className="link" href={href} style={{ color: day.button, textDecoration: "underline" }}>
      {children}
    </Link>
  </Text>
);

export const quote = {
  ...fonts.serif,
  backgroundColor: day.wash,
  borderLeft: `4px solid ${day.button}`,
  borderRadius: "4px 12px 12px 4px",
  color: day.ink,
  fontSize: "18px",
  lineHeight: "28px",
  margin: "10px 0 0",
  overflowWrap: "anywhere",
  padding: "14px 18px",
} as const;

/** Quotation of a text that a person wrote. */
export const Quote = ({ children }: { children: ReactNode }) => (
  <blockquote dir="auto" className="quote" style={quote}>
    {children}
  </blockquote>
);

/** One-time code that the recipient types on another page. */
export const Code = ({ children }: { children: string }) => (
  <Text
    className="code"
    style={{
      backgroundColor: day.wash,
      color: day.ink,
      borderRadius: "12px",
      fontFamily: "ui-monospace, Menlo, Consolas, monospace",
      fontSize: "30px",
      letterSpacing: "6px",
      lineHeight: "40px",
      margin: "16px 0 0",
      padding: "12px 16px",
      textAlign: "center",
    }}
  >
    {children}
  </Text>
);

const FACE = 32;
const face = {
  borderRadius: "999px",
  display: "inline-block",
  height: `${FACE}px`,
  marginRight: "10px",
  width: `${FACE}px`,
};

/** A person's picture, or their initials as in the web app. Omitted from the plain text. */
export const Face = ({ name, picture }: { name: string; picture?: string | undefined }) => {
  if (picture) {
    const square = { width: FACE, height: FACE, style: { ...face, verticalAlign: "middle" } };
    return <Img data-skip-in-text="true" src={`cid:${picture}`} alt="" {...square} />;
  }
  const { initials, sky } = avatarOf(name);
  return (
    <span
      aria-hidden
      data-skip-in-text="true"
      style={{
        ...fonts.serif,
        ...face,
        backgroundColor: sky[0],
        color: "#ffffff",
        fontSize: "14px",
        lineHeight: `${FACE}px`,
        textAlign: "center",
      }}
    >
      {initials}
    </span>
  );
};
