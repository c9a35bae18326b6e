/**
 * Limits for requests, checked before any work starts. Work grows faster than its input in parsers, in the database and
 * in the HTML cleaner; one request must never block the thread that serves everyone.
 */

/** Characters of a URL. supabase-js puts filters there; a list of 300 UUIDs takes 11,100. */
export const URL_LENGTH = 12_000;
/**
 * Bytes of a request's headers, its URL included. Node's default of 16 kB would close the connection before CORS headers
 * are written, also on a preflight, so that no browser could read the refusal of a long URL.
 */
export const HEADER_BYTES = 64 * 1024;
/** Bytes of a body without a bound of its own: five stories of the largest size that the product stores. */
export const BODY_BYTES = 1024 * 1024;
/** Levels of objects and arrays. Recursive code fails on thousands; metadata and settings of people take fewer than ten. */
export const JSON_DEPTH = 50;
/** Objects and arrays in a body: reading one takes far longer than its two characters. A write of 1,000 rows takes 1,001. */
export const JSON_CONTAINERS = 20_000;
/** Levels of brackets in one filter value: a JSON filter may be as deep as a JSON body, and a pattern no deeper. */
export const FILTER_DEPTH = 50;
/** Characters of a pattern or a text search. PostgreSQL compiles both, in time that grows faster than their length. */
export const PATTERN_LENGTH = 1000;
/** Characters of a value that goes into a type of short values, as uuid, date or numeric. */
export const SHORT_VALUE_LENGTH = 1000;
/** Characters of HTML in one request: twice a story's limit, as cleaning removes the attributes of pasted text. */
export const HTML_LENGTH = 400_000;
/** Tags in it. A list of 5,000 names takes that many; a story of the largest size that people write, a tenth. */
export const HTML_TAGS = 20_000;
/** Open elements at one place. The parser searches all of them at each tag, so that its time grows with their square. */
export const HTML_DEPTH = 500;
/** Characters of HTML that are cleaned on the thread that answers: 10 ms at most, less than handing them over is worth. */
export const HTML_DIRECT_LENGTH = 8000;
/** Cleanings that one caller may have waiting, and all callers together. */
export const CLEANINGS_PER_CALLER = 4;
export const CLEANINGS_WAITING = 100;

/** Rows of one write: as many as one read answers with. */
export const ROWS_PER_WRITE = 1000;
/** `->` steps into a JSON column. */
export const JSON_PATH_STEPS = 20;
/** Terms of an `order`. */
export const ORDER_TERMS = 50;
/** Characters of an error message: some of PostgreSQL's repeat the whole value that they refuse. */
export const MESSAGE_LENGTH = 1000;

/** A request that exceeds a bound or cannot be read at all. Each surface words it in its own protocol. */
export class OutOfBoundsError extends Error {
  constructor(
    /** HTTP status, 400 to 499. */
    readonly status: number,
    readonly part: "url" | "header" | "body",
    message: string,
  ) {
    super(message);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Refuses JSON text that is nested too deep, has too many parts or contains a zero byte, which PostgreSQL cannot store. Reads it once. */
export function checkJson(text: string): void {
  let depth = 0;
  let containers = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at + 1);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        containers += 1;
        if (depth > JSON_DEPTH)
          throw new OutOfBoundsError(400, "body", `JSON may have up to ${JSON_DEPTH} nested levels`);
        if (containers > JSON_CONTAINERS) {
          throw new OutOfBoundsError(400, "body", `JSON may have up to ${JSON_CONTAINERS} objects and arrays`);
        }
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      case 0:
        throw zeroByte("body");
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === 0 || (code === BACKSLASH && text.startsWith("u0000", at + 1))) throw zeroByte("body");
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

export const zeroByte = (part: OutOfBoundsError["part"]) =>
  new OutOfBoundsError(400, part, "A request must not contain a zero byte");

const OPENING = new Set(["(", "[", "{"]);
const CLOSING = new Set([")", "]", "}"]);

/** How deep the brackets of a text are nested, whatever their kind. */
export function bracketDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (OPENING.has(character)) depth += 1;
    else if (CLOSING.has(character)) depth = Math.max(0, depth - 1);
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
