/** The message signed with a wallet's key to sign in (EIP-4361, and Solana's version of it). */
export interface SignedMessage {
  /** The requesting site, as the wallet showed it. */
  domain: string;
  address: string;
  statement: string | undefined;
  uri: string;
  chainId: string | undefined;
  nonce: string | undefined;
  issuedAt: Date;
  expiresAt: Date | undefined;
  notBefore: Date | undefined;
}

const HEADING = /^(?:[a-z][a-z\d+.-]*:\/\/)?([^\s/?#@]+) wants you to sign in with your (Ethereum|Solana) account:$/;
const FIELD = /^(URI|Version|Chain ID|Nonce|Issued At|Expiration Time|Not Before|Request ID): (\S(?:[^\p{Cc}]*\S)?)$/u;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** Parses a message by lines; undefined if one is invalid. Wallets differ in the order of fields and in the nonce. */
export function readMessage(text: string, chain: "Ethereum" | "Solana"): SignedMessage | undefined {
  const [heading = "", address = "", blank, ...rest] = text.split("\n");
  const [, domain, of] = HEADING.exec(heading) ?? [];
  if (domain === undefined || of !== chain || blank !== "") return undefined;
  const { statement, lines } = statementOf(rest);
  const fields = fieldsOf(lines);
  if (!fields) return undefined;
  const { URI: uri, Version: version, "Issued At": issued, "Expiration Time": expires, "Not Before": from } = fields;
  const [issuedAt, expiresAt, notBefore] = [issued, expires, from].map(readTime);
  const isTold = (time: string | undefined, read: Date | undefined) => time === undefined || read !== undefined;
  if (uri === undefined || version !== "1" || !issuedAt) return undefined;
  if (!isTold(expires, expiresAt) || !isTold(from, notBefore)) return undefined;
  const { "Chain ID": chainId, Nonce: nonce } = fields;
  return { domain, address, statement, uri, chainId, nonce, issuedAt, expiresAt, notBefore };
}

/** Splits off the text before the fields: a statement between blank lines, a blank line alone, or nothing. */
function statementOf(lines: string[]): { statement: string | undefined; lines: string[] } {
  const [first = "", second, ...rest] = lines;
  if (first === "") return { statement: undefined, lines: lines.slice(1) };
  if (second === "") return { statement: first, lines: rest };
  return { statement: undefined, lines };
}

/** Reads the fields, each of which may occur once. Ignores the list of resources at the end. */
function fieldsOf(lines: string[]): Record<string, string> | undefined {
  const end = lines.findIndex((line) => /^Resources:?$/.test(line));
  const fields: Record<string, string> = {};
  for (const line of end < 0 ? lines : lines.slice(0, end)) {
    const [, name, value] = FIELD.exec(line) ?? [];
    if (name === undefined || value === undefined || name in fields) return undefined;
    fields[name] = value;
  }
  if (end >= 0 && !lines.slice(end + 1).every((line) => line.startsWith("- "))) return undefined;
  return fields;
}

function readTime(text: string | undefined): Date | undefined {
  const time = text !== undefined && TIME.test(text) ? new Date(text) : undefined;
  return time && !Number.isNaN(time.getTime()) ? time : undefined;
}
