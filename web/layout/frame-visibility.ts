/** Pages without a header for visitors (Spec §2). */
const HEADERLESS = ["/", "/login", "/register", "/about", "/pricing", "/blog", "/contact-us", "/affiliates"];

const trimmed = (path: string) => (path.length > 1 ? path.replace(/\/+$/, "") || "/" : path);

/** Returns whether the page at a path has the header, for signed-in people or for visitors. */
export const showsHeader = (path: string, signedIn: boolean): boolean =>
  signedIn || !HEADERLESS.includes(trimmed(path));

/** Returns whether a path is of a share link or a card: its visitors are somebody's guests, and came for the memory. */
export const isGuestPage = (path: string): boolean => /^\/(shared|c)(\/|$)/i.test(path);

/** Returns whether the consent banner may appear. Guests' pages need no consent. */
export const asksConsent = (path: string): boolean => !isGuestPage(path);

/** Returns whether the page at a path has the footer, as every page except "/" (Spec §2). */
export const showsFooter = (path: string): boolean => trimmed(path) !== "/";
