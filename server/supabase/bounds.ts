/**
 * Limits for requests, checked before any work starts. In parsers, in the database and in the HTML cleaner, the work
 * grows faster than the input. One request must never block the thread that serves all callers.
 */

/** Characters of a URL. supabase-js puts filters into it. A list of 300 UUIDs takes 11,100. */
export const URL_LENGTH = 12_000;
/**
 * Bytes of a request's headers, including its URL. Node's default of 16 kB would close the connection before CORS
 * headers are written, also on a preflight, so that no browser could read the refusal of a long URL.
 */
export const HEADER_BYTES = 64 * 1024;
/** Bytes of a body without a separate limit: five stories of the largest size that the product stores. */
export const BODY_BYTES = 1024 * 1024;
/** Levels of objects and arrays. Recursive code fails on thousands. Metadata and settings need fewer than ten. */
export const JSON_DEPTH = 50;
/** Objects and arrays in a body. Parsing one takes longer than its two characters suggest. 1,000 rows have 1,001. */
export const JSON_CONTAINERS = 20_000;
/** Levels of brackets in one filter value, of JSON or a pattern: the same limit as for a JSON body. */
export const FILTER_DEPTH = 50;
/** Characters of a pattern or a text search. PostgreSQL compiles both, in time that grows faster than their length. */
export const PATTERN_LENGTH = 1000;
/** Characters of a value for a type whose values are short, e.g. uuid, date or numeric. */
export const SHORT_VALUE_LENGTH = 1000;
/** Characters of HTML in one request: twice a story's limit, because cleaning removes the attributes of pasted text. */
export const HTML_LENGTH = 400_000;
/** Tags in the HTML of one request. A list of 5,000 names has this many; the longest stories by people have a tenth. */
export const HTML_TAGS = 20_000;
/** Open elements at one position. The parser searches all of them at each tag, so its time grows with their square. */
export const HTML_DEPTH = 500;
/** Characters of HTML that are cleaned on the main thread: 10 ms at most, too little to be worth another thread. */
export const HTML_DIRECT_LENGTH = 8000;
/** Upper limits of queued cleanings: for one caller, and for all callers together. */
export const CLEANINGS_PER_CALLER = 4;
export const CLEANINGS_WAITING = 100;

/** Rows of one write: as many as one read returns. */
export const ROWS_PER_WRITE = 1000;
/** `->` steps into a JSON column. */
export const JSON_PATH_STEPS = 20;
/** Terms of an `order`. */
export const ORDER_TERMS = 50;
/** Characters of an error message. Some PostgreSQL messages repeat the whole value that they refuse. */
export const MESSAGE_LENGTH = 1000;

/** The error for a request that exceeds a limit or cannot be parsed. Each API reports it in its own protocol. */
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

/**
 * Refuses JSON text that is nested too deep, has too many parts or contains a zero byte, which PostgreSQL cannot store.
 * Reads the text once.
 */
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

/** Returns the maximum nesting depth of the brackets in a text, of any kind. */
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
