/** An error for the person who imports an account. */
export class ImportError extends Error {}

/** Upper limits of `account.json`: bytes, values and levels. Sixty thousand comments have 20 MB and 700,000 values. */
const JSON_BYTES = 128 * 1024 * 1024;
const JSON_VALUES = 5_000_000;
const JSON_LEVELS = 32;

/** Upper limit of files in an account's ZIP file. */
export const MOST_ENTRIES = 500_000;

/** How much larger than the ZIP file its contents may be. Photos and videos hardly shrink; text shrinks to a tenth. */
const MOST_GROWTH = 10;
const ALWAYS_ALLOWED = 16 * 1024 * 1024;

/** Whether the contents of a ZIP file are larger than those of any honest one. Both sizes in bytes. */
export const isInflated = (zipSize: number, contentSize: number): boolean =>
  contentSize > zipSize * MOST_GROWTH + ALWAYS_ALLOWED;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Reads JSON from a stream of bytes as text. Rejects with {@link ImportError} as soon as it exceeds a limit, because
 * parsing a few megabytes of brackets would take gigabytes.
 */
export async function readBoundedText(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let [bytes, values, levels] = [0, 0, 0];
  let isInText = false;
  let isEscaped = false;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > JSON_BYTES) throw new ImportError("The file account.json is too large.");
    for (const byte of chunk) {
      if (isEscaped) isEscaped = false;
      else if (isInText) {
        if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInText = false;
      } else if (byte === QUOTE) isInText = true;
      else if (byte === COMMA) values += 1;
      else if (OPENING.has(byte)) {
        values += 1;
        levels += 1;
      } else if (CLOSING.has(byte)) levels -= 1;
      if (levels > JSON_LEVELS) throw new ImportError("The file account.json is nested too deeply.");
    }
    if (values > JSON_VALUES) throw new ImportError("The file account.json has too many values.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
