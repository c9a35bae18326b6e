/** A letter of a script that is written from right to left, e.g. Hebrew or Arabic. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Returns a person's words for the middle of a sentence. Otherwise a name in Hebrew would also turn the numbers and the
 * full stop beside it.
 */
export const isolated = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);
