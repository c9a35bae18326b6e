import { withoutInvisible } from "./typed-text.ts";

/** Whether a link's end says that it is an invitation's, complete or not. */
export const namesInvitation = (text: string): boolean => /invitation/i.test(decodedFully(text));

/**
 * Returns the token of an invitation in what follows a link's id, however mail programs have changed it: with `#` or `=`
 * encoded, in the query, in capitals, wrapped as quoted-printable, or with punctuation after it. Undefined if it is cut.
 */
export function invitationTokenIn(text: string): string | undefined {
  const clean = withoutInvisible(decodedFully(text)).toLowerCase();
  const [, tokenPart = ""] = /invitation(?:=|:|\s)*([0-9a-f=\s]*)/.exec(clean) ?? [];
  // A line of quoted-printable text ends with "=", also in the middle of a token.
  const digits = tokenPart.replaceAll(/[=\s]/g, "");
  // There, "=3d" is an equals sign.
  const token = digits.length === 66 && digits.startsWith("3d") ? digits.slice(2) : digits;
  return [token, tokenPart.split(/\s/)[0] ?? ""].find(({ length }) => length === 64);
}

/** Decodes percent signs until there are none left: each gateway on the way may encode a link once more. */
function decodedFully(text: string): string {
  let decoded = text;
  for (let round = 0; round < MAX_ENCODINGS; round++) {
    const next = decoded.replaceAll(/(?:%[0-9a-f]{2})+/gi, (part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
}
const MAX_ENCODINGS = 4;
