import { isMailable, LONGEST_EMAIL } from "./credentials.ts";
import { typedAddress } from "./typed-address.ts";
import { withoutInvisible } from "./typed-text.ts";

/** The addresses in a pasted text, and the parts that are none. */
export interface TypedAddresses {
  /** In their order, as stored, each once. */
  addresses: string[];
  /** Parts without a valid address, as they were typed. */
  invalid: string[];
}

/** An `a@b` without a name. An address in brackets is read like one. */
const ADDRESS = /[^\s<>()[\]{}"“”„‘«»‹›,;:|•·]+@[^\s<>()[\]{}"“”„‘’«»‹›,;:|•·]+/g;
const SEPARATORS = /[,;،、\n\r\u2028\u2029|]/;

/**
 * Returns the addresses in a text, as people copy them from letters, contacts and tables: with names, `mailto:`, commas,
 * semicolons, lines, bullets and invisible characters. Words beside an address are its name.
 */
export function typedAddresses(text: string): TypedAddresses {
  const addresses = new Set<string>();
  const invalid: string[] = [];
  const parts = partsOf(withoutInvisible(text).replaceAll(MAILTO, fromMailto).normalize("NFKC"));
  for (const [at, { part: typed, comma }] of parts.entries()) {
    // Keyboards of phones put spaces around the at sign.
    const part = typed.replace(/^(\S+)\s*@\s*(\S+)$/, "$1@$2");
    const candidates = part.match(ADDRESS) ?? [];
    // What remains is the name, unless it has an at sign, e.g. in `anna@`.
    const rest = part.replaceAll(ADDRESS, " ");
    const wrong: string[] = rest.match(/[^\s<>()[\]]*@[^\s<>()[\]]*/g) ?? [];
    const before = addresses.size;
    for (const candidate of candidates) {
      const address = typedAddress(candidate);
      if (isMailable(address) && address.length <= LONGEST_EMAIL) addresses.add(address);
      else wrong.push(candidate);
    }
    // Of `anna@exa mple.org` nothing may be lost, so that it can be corrected. A name in front of brackets is none of it.
    const isWhole = wrong.length > 0 && wrong.length >= candidates.length && addresses.size === before;
    invalid.push(...(isWhole && !/[<>()[\]]/.test(typed) ? [typed] : wrong));
    if (candidates.length > 0 || rest.includes("@") || !/[\p{L}\p{N}]/u.test(rest)) continue;
    // `Rossi, Anna <a@b>` and `Family: a@b` begin with a name, and `To:` with the name of a field.
    if (!isBeginningOfName(part, comma ? parts[at + 1]?.part : undefined)) invalid.push(part);
  }
  return { addresses: [...addresses], invalid };
}

const isBeginningOfName = (part: string, next: string | undefined) =>
  /:$/.test(part) || (next !== undefined && /^[^<>@]*\p{L}[^<>@]*<[^<>]*@/u.test(next));

/** Splits a text at its separators, except inside quoted names. `comma`: a comma follows the part. */
function partsOf(text: string): { part: string; comma: boolean }[] {
  const parts: { part: string; comma: boolean }[] = [];
  let start = 0;
  let quoted = false;
  const end = (at: number) => {
    const part = text.slice(start, at).trim();
    if (part !== "") parts.push({ part, comma: text[at] === "," });
    start = at + 1;
  };
  for (let at = 0; at < text.length; at++) {
    // A quotation mark without a second one is a slip.
    if (text[at] === '"') quoted = !quoted && text.includes('"', at + 1);
    else if (!quoted && SEPARATORS.test(text.charAt(at))) end(at);
  }
  end(text.length);
  return parts;
}

const MAILTO = /mailto:([^\s<>"')\]]*)/gi;

/** The recipients of a `mailto:` link, also those of copies. */
function fromMailto(_link: string, content: string): string {
  const [to = "", query = ""] = content.split("?");
  const copies = query.split(/&(?:amp;)?/).map((field) => /^(?:to|cc|bcc)=(.*)$/i.exec(field)?.[1] ?? "");
  return [to, ...copies].filter(Boolean).map(decoded).join(",");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
