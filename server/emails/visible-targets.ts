import { isolated } from "../../shared/isolated.ts";
import { storyLink } from "../../shared/story-html.ts";

/** Characters that are invisible or change the direction of text, and so can hide or reverse an address. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** Returns a text without invisible characters. Joiners inside emoji and scripts are kept. */
export const visibleText = (text: string): string => text.replaceAll(INVISIBLE, "");

/** Characters that turn the direction of the Latin letters after them, up to the end of the paragraph. */
const TURNING = /[\u202a-\u202e]/g;
/** Characters that show nothing, also those that join others, and a blank that is no space. */
const EMPTY = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Dots that look like the one of an address. */
const DOTS = /[·‧・۔܁⸳ꓸ꘎]/gu;

/** A URL, a mail address, a host name or an IP address. A person's initials, such as `J.R.`, are none. */
const ADDRESS = /[a-z]:\/\/|https?:|www\.|[^\s@]@[^\s@]|[\p{L}\p{N}-][.。．｡](?:\p{L}{2,}|xn--)|\d\.\d+\.\d+\.\d/iu;

export const looksLikeAddress = (text: string): boolean => ADDRESS.test(text.replaceAll(EMPTY, "").normalize("NFKC"));

/**
 * Returns a text in which mail programs recognise no address: a word joiner follows each sign of one. For names and
 * excerpts, which would otherwise become links of their own. Words written from right to left turn nothing beside them.
 */
export const withoutLinks = (text: string): string =>
  isolated(looksLikeAddress(text) ? visibleText(text).replaceAll(/[.:@。．｡](?=\S)/gu, "$&\u2060") : text);

/** A tag of a link in sanitised HTML. */
const LINK_TAG = /<a href="([^"]*)"[^<>]*>|<\/a>/g;
/** The length from which an address is shortened where it is shown, in characters. */
const SHOWN_LENGTH = 120;

/**
 * Shows where the links of sanitised HTML lead. A link to another site becomes its text and, in brackets, the linked
 * address. A text that looks like another address is replaced by the true one. Links to `site` keep their other texts.
 * Characters that turn the direction of text are removed: they could make the end of an address read like the start of
 * another.
 */
export function withVisibleTargets(letter: string, site: string | undefined): string {
  const html = letter.replaceAll(TURNING, "");
  let result = "";
  let at = 0;
  let open: string | undefined;
  for (const tag of html.matchAll(LINK_TAG)) {
    const before = html.slice(at, tag.index);
    result += open === undefined ? before : linkTo(open, before, site);
    // A link inside a link ends the outer one, as in browsers.
    open = tag[1];
    at = tag.index + tag[0].length;
  }
  const rest = html.slice(at);
  return result + (open === undefined ? rest : linkTo(open, rest, site));
}

function linkTo(href: string, inner: string, site: string | undefined): string {
  const text = visibleText(unescaped(inner.replaceAll(/<[^<>]*>/g, "")))
    .normalize("NFKC")
    .trim();
  const target = targetOf(unescaped(href));
  if (!target) return inner;
  const link = (content: string) => `<a href="${escaped(target.href)}">${content}</a>`;
  const isTarget = [target.href, target.visibleAddress].some((one) => plain(one) === plain(text));
  if (isTarget || text === "" || looksLikeAddress(text.replaceAll(DOTS, ".")))
    return link(escaped(target.visibleAddress));
  if (site && target.href.startsWith(`${new URL(site).origin}/`)) return link(inner);
  return `${inner} (${link(escaped(target.visibleAddress))})`;
}

/** A link's address without user name and password, and in the form in which it is shown: hosts as ASCII. */
function targetOf(href: string): { href: string; visibleAddress: string } | undefined {
  if (!URL.canParse(href) || !storyLink(href)) return undefined;
  const url = new URL(href);
  url.username = "";
  url.password = "";
  const whole = url.protocol === "mailto:" ? url.pathname : url.href;
  // The end of the host names its owner, so it is never left out.
  const length = Math.max(SHOWN_LENGTH, url.origin.length + 1);
  return { href: url.href, visibleAddress: whole.length > length ? `${whole.slice(0, length)}…` : whole };
}

/** An address without what its writers leave out. */
const plain = (address: string) =>
  address
    .toLowerCase()
    .replace(/^(https?:\/\/|mailto:)/, "")
    .replace(/\/$/, "");

const SIGNS: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };
/** Reverses the escaping of the sanitiser. */
export const unescaped = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (sign) => SIGNS[sign] ?? sign).replaceAll("&nbsp;", " ");
const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
