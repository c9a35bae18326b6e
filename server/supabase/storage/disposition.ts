/** Half a letter, which no encoding can carry. */
const LONE_SURROGATE = /[\ud800-\udfff]/gu;

/** A `Content-Disposition` that saves under `name` (RFC 6266): a plain ASCII form, and the true one beside it. */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, "_").replace(/["\\%/]/g, "_");
  const encoded = encodeURIComponent(name.replace(LONE_SURROGATE, "\ufffd")).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return plain === name
    ? `attachment; filename="${plain}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** The name with the ending of what is really sent. */
export const renamed = (name: string, extension: string): string => `${name.replace(/\.[^./]*$/, "")}.${extension}`;
