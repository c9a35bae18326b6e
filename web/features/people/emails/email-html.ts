import { escapeHtml } from "../../../../shared/escape-html.ts";
import { excerpt } from "../../../../shared/excerpt.ts";

/** A piece of a letter; all of it is text, whatever it looks like. */
export type EmailPart = string | { quote: string } | { link: string; label: string } | undefined;

/** A letter as HTML with everything escapeHtml. What is empty is left out; the lines of a quote stay apart. */
export const emailHtml = (parts: EmailPart[]): string => parts.map(htmlOf).join("");

function htmlOf(part: EmailPart): string {
  if (part === undefined || part === "") return "";
  if (typeof part === "string") return `<p>${escapeHtml(part)}</p>`;
  if ("link" in part) return `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.label)}</a></p>`;
  const lines = part.quote.trim().split(/\r?\n/);
  return part.quote.trim() && `<blockquote><p>${lines.map(escapeHtml).join("<br>")}</p></blockquote>`;
}

/** The beginning of a description as plain text. */
export function htmlExcerpt(html: string): string {
  // Words of neighbouring paragraphs would run into each other.
  const apart = html.replaceAll(/<(\/(p|h2|h3|li|blockquote|figcaption)|br|hr)>/g, " $&");
  return excerpt(new DOMParser().parseFromString(apart, "text/html").body.textContent);
}
