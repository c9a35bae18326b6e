/** No whitespace or at-signs before the one at-sign, and a dot in the domain (Spec §9). */
export const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** In characters (Spec §5). */
export const SHORTEST_PASSWORD = 6;
