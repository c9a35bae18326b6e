import { typedLine, withoutInvisible } from "./typed-text.ts";

/** The longest text that is read as an address; beside it may stand a name. A longer one is no address and stays as it is. */
const LONGEST_TYPED_ADDRESS = 1000;

/**
 * Returns an email address as stored: of `Name <a@b>`, `[a@b](mailto:a@b)`, `mailto:a@b?subject=c`, `Email: a@b` and
 * `(a@b)`, the address alone, in lower case.
 */
export function typedAddress(text: string): string {
  // Some of these patterns take quadratic time.
  if (text.length > LONGEST_TYPED_ADDRESS) return text;
  const line = withoutInvisible(typedLine(text)).normalize("NFKC").replaceAll("。", ".");
  const inner = /^(?:[^<>]*<([^<>]+)>|\[[^[\]]*\]\(([^()]+)\))[ .,;]*$/.exec(line);
  const address = (inner?.[1] ?? inner?.[2] ?? line).trim();
  const mailable = /^mailto:/i.test(address) ? fromMailto(address) : address;
  return mailable
    .replace(/^[\p{L}-]+: ?(?=[^ ]+@[^ ]+$)/u, "")
    .replace(/ \([^()@]*\)$/, "")
    .replace(/^[ '"“”„‘’‚«»‹›([{<•·]+/, "")
    .replace(/^([*_~`]{1,3})(.*)\1[^*_~`]*$/, "$2")
    .replace(/[ .,;:!?'"“”„‘’‚«»‹›()[\]{}<>•·*_~`|/\\-]+$/, "")
    .toLowerCase();
}

/** The recipient of a `mailto:` link. */
function fromMailto(link: string): string {
  const recipient = link.slice("mailto:".length).replace(/\?.*$/, "");
  // Only these two: others are part of hardly any address.
  return recipient.replaceAll(/%40/g, "@").replaceAll(/%2b/gi, "+");
}

/** Returns an address that a program sends, without invisible characters and final punctuation. A name is no part of it. */
export const bareAddress = (text: string): string => (/[<>:"()[\]]/.test(text) ? typedLine(text) : typedAddress(text));
