/** A metal card's size in millimetres. */
export const CARD = { width: 54, height: 86 } as const;

/**
 * Positions on a card, in millimetres from its top left corner; the `y` of a text is its baseline. The shop's preview
 * and the engraver use the same positions.
 */
export const CARD_FACE = {
  /** The width of the text area. */
  width: 46,
  horizon: { y: 5, width: 10, path: "M0 4L10 4L10 4.25L0 4.25ZM2 4C2 0 8 0 8 4L7.7 4C7.7 0.4 2.3 0.4 2.3 4Z" },
  /** One line of at least the size `smallest`; otherwise two lines of that size, `line` apart, centred on `y`. */
  name: { y: 21.5, size: 6, smallest: 4.4, line: 6 },
  dates: { y: 31.5, size: 3.4 },
  qr: { y: 36, side: 40 },
  caption: { y: 80.5, size: 2.7 },
} as const;

/** The caption below the code of every card. */
export const CARD_CAPTION = { en: "Scan to remember", it: "Inquadra per ricordare" } as const;

/** The finishes of cards. On the black one, the engraving is lighter than the surface. */
export const FINISHES = ["steel", "gold", "black"] as const;

/** Maximum lengths of name and dates in characters; longer ones would be illegible when engraved. */
export const MOST_NAME = 48;
export const MOST_DATES = 40;

/** Characters of the engraver's typeface: Latin, Greek and Cyrillic letters, digits and punctuation. */
const ENGRAVABLE = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}0-9 .,;:'’‘"“”«»&+()/·–—-]*$/u;

/** Whether the typeface has all characters of a text. */
export const isEngravable = (text: string): boolean => ENGRAVABLE.test(text.normalize("NFC"));
