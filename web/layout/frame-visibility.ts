/** Spec §2: pages without a header for visitors. */
const HEADERLESS = ["/", "/login", "/register", "/about", "/pricing", "/blog", "/contact-us", "/affiliates"];

const trimmed = (path: string) => (path.length > 1 ? path.replace(/\/+$/, "") || "/" : path);

/** Whether the header is shown at a path, to somebody signed in or not. */
export const showsHeader = (path: string, signedIn: boolean): boolean =>
  signedIn || !HEADERLESS.includes(trimmed(path));

/** Whether the consent banner may appear. Pages of share links and cards need no consent. */
export const asksConsent = (path: string): boolean => !/^\/(shared|c)(\/|$)/i.test(path);

/** Spec §2: the footer is hidden only on "/". */
export const showsFooter = (path: string): boolean => trimmed(path) !== "/";
