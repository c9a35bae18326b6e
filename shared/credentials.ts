/** No whitespace or at-signs before the one at-sign, and a dot in the domain (Spec §9). */
export const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Whether an email can go to an address: its pattern is right, and nothing in it would say more in a header than itself. */
export const isMailable = (address: string): boolean => EMAIL.test(address) && !/[\p{Cc}<>()[\]\\,;:"]/u.test(address);

/** In characters (Spec §5). */
export const SHORTEST_PASSWORD = 6;
