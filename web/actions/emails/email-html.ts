import { escapeHtml } from "../../../shared/escape-html.ts";

/** A part of an email as plain text; an undefined or empty part is left out. */
type EmailPart = string | { quote: string } | { link: string; label: string } | undefined;

/** Returns an email as escaped HTML without empty parts. Line breaks of a quote are preserved. */
export const emailHtml = (parts: EmailPart[]): string => parts.map(htmlOf).join("");

function htmlOf(part: EmailPart): string {
  if (part === undefined || part === "") return "";
  if (typeof part === "string") return `<p>${escapeHtml(part)}</p>`;
  if ("link" in part) return `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.label)}</a></p>`;
  const lines = part.quote.trim().split(/\r?\n/);
  return part.quote.trim() && `<blockquote><p>${lines.map(escapeHtml).join("<br>")}</p></blockquote>`;
}

const SUBJECT_LENGTH = 200;

/** A text as an email's subject: a line break or another control character would end its header. */
export const subjectOf = (text: string) =>
  [...text.replaceAll(/\p{Cc}+/gu, " ")].slice(0, SUBJECT_LENGTH).join("").trim();
