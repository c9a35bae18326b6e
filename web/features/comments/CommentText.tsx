import { parseUrl } from "../../lib/browser/parse-url.ts";

/** Plain text with line breaks; web addresses become links. */
export function CommentText({ text, names }: { text: string; names: readonly string[] }) {
  return (
    <p dir="auto" className="m-0 wrap-anywhere whitespace-pre-wrap">
      {textParts(text, names).map((part, index) => {
        // The parts of a text never change their order.
        const key = `${index}`;
        if (part.kind === "text") return part.text;
        if (part.kind === "mention") {
          return (
            <strong key={key} className="font-semibold text-deep">
              {part.text}
            </strong>
          );
        }
        return (
          <a key={key} href={part.href} target="_blank" rel="noopener noreferrer nofollow ugc">
            {part.text}
          </a>
        );
      })}
    </p>
  );
}

/** A part of a comment: text, a link or a mention. */
type TextPart =
  | { kind: "text"; text: string }
  | { kind: "mention"; text: string }
  | { kind: "link"; text: string; href: string };

const ADDRESS = /(?:https?:\/\/|\bwww\.)[^\s<>"“”«»]+/gi;
/** Punctuation after an address that is not part of it. */
const AFTER = /[.,;:!?'’…*_~]+$/;

/** Splits plain text into parts: complete web addresses are links, the given names mentions. */
export function textParts(text: string, names: readonly string[] = []): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    const label = trimmed(address);
    const href = addressOf(label);
    if (!href) continue;
    parts.push(...withNames(text.slice(from, index), names), { kind: "link", text: label, href });
    from = index + label.length;
  }
  return [...parts, ...withNames(text.slice(from), names)];
}

/** Removes following punctuation, and a closing bracket that was opened before the address. */
function trimmed(text: string): string {
  const address = text.replace(AFTER, "");
  const openCount = address.split("(").length;
  const closeCount = address.split(")").length;
  return address.endsWith(")") && closeCount > openCount ? trimmed(address.slice(0, -1)) : address;
}

/** Parses a web address; undefined for other text, and for an address with a user name or password. */
function addressOf(text: string): string | undefined {
  const whole = /^www\./i.test(text) ? `https://${text}` : text;
  const url = parseUrl(whole);
  if (!url) return undefined;
  const { protocol, hostname, username, password, href } = url;
  const isWeb = protocol === "https:" || protocol === "http:";
  return isWeb && hostname.includes(".") && !username && !password ? href : undefined;
}

function withNames(text: string, names: readonly string[]): TextPart[] {
  if (text === "") return [];
  // Longest first, so that "@Anna Rossi" does not match Anna.
  const longestFirst = names.filter(Boolean).sort((a, b) => b.length - a.length);
  const mentions = longestFirst
    .map((name) => ({ mention: `@${name}`, at: text.indexOf(`@${name}`) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at || b.mention.length - a.mention.length)[0];
  if (!mentions) return [{ kind: "text", text }];
  const { mention, at } = mentions;
  return [
    ...(at > 0 ? [{ kind: "text" as const, text: text.slice(0, at) }] : []),
    { kind: "mention", text: mention },
    ...withNames(text.slice(at + mention.length), names),
  ];
}
