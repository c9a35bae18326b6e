/** A metal card's size in millimetres. */
export const CARD = { width: 54, height: 86 } as const;

/**
 * Positions on a card, in millimetres from its top left; `y` of text is its baseline. The shop's drawing and the engraver
 * use the same ones.
 */
export const CARD_FACE = {
  /** The text area. */
  width: 46,
  horizon: { y: 5, width: 10, path: "M0 4L10 4L10 4.25L0 4.25ZM2 4C2 0 8 0 8 4L7.7 4C7.7 0.4 2.3 0.4 2.3 4Z" },
  /** In one line down to `smallest`, then in two, `line` apart, about the same middle. */
  name: { y: 21.5, size: 6, smallest: 4.4, line: 6 },
  dates: { y: 31.5, size: 3.4 },
  qr: { y: 36, side: 40 },
  caption: { y: 80.5, size: 2.7 },
} as const;

/** Every card's caption below its code. */
export const CARD_CAPTION = { en: "Scan to remember", it: "Inquadra per ricordare" } as const;

/** What cards are made of; on the black one the engraving is the lighter part. */
export const FINISHES = ["steel", "gold", "black"] as const;

/** The longest name and dates that can be read when they are engraved. */
export const MOST_NAME = 48;
export const MOST_DATES = 40;

/** Letters that the engraver's typeface has: Latin, Greek and Cyrillic, with figures and the signs between words. */
const ENGRAVABLE = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}0-9 .,;:'’‘"“”«»&+()/·–—-]*$/u;

/** Whether all of a text can be engraved. */
export const isEngravable = (text: string): boolean => ENGRAVABLE.test(text.normalize("NFC"));
