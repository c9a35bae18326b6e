/** A text as it can be in a post's address: small letters, digits and single hyphens. */
export const slugFrom = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 100)
    .replace(/^-|-$/g, "");

/** Whether a post can have this address. */
export const isSlug = (text: string): boolean => text.length <= 100 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text);
