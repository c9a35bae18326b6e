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

/**
 * The characters that can be engraved: the Latin, Greek and Cyrillic letters, digits and punctuation that the engraver's
 * typeface has. A test compares them with the font files, and with the database's `private.is_engravable`.
 */
const ENGRAVABLE = [
  String.raw`\u0020\u0022\u0026-\u0029\u002b-\u003b\u0041-\u005a\u0061-\u007a\u00aa-\u00ab\u00b7\u00ba-\u00bb`,
  String.raw`\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e\u018f\u0192\u01a0-\u01a1\u01af-\u01b0\u01c4-\u01dc`,
  String.raw`\u01e6-\u01e7\u01ea-\u01eb\u01fa-\u021b\u022a-\u022d\u0230-\u0233\u0237\u0251\u0259\u0261`,
  String.raw`\u0300-\u0301\u0303-\u0304\u0308-\u0309\u0323\u0375\u037a\u0384\u0386\u0388-\u038a\u038c`,
  String.raw`\u038e-\u03a1\u03a3-\u03ce\u03d7-\u03e1\u0401-\u044f\u0451-\u045f\u0462-\u0463\u046a-\u046b`,
  String.raw`\u0490-\u0493\u0496-\u0497\u049a-\u049b\u04a2-\u04a3\u04ae-\u04b1\u04ba-\u04bb\u04d8-\u04d9`,
  String.raw`\u04e8-\u04e9\u1e08-\u1e09\u1e0c-\u1e0f\u1e14-\u1e17\u1e1c-\u1e1d\u1e20-\u1e21\u1e24-\u1e25`,
  String.raw`\u1e2a-\u1e2b\u1e2e-\u1e2f\u1e36-\u1e3b\u1e42-\u1e49\u1e4c-\u1e53\u1e5a-\u1e69\u1e6c-\u1e6f`,
  String.raw`\u1e78-\u1e7b\u1e80-\u1e85\u1e8e-\u1e8f\u1e92-\u1e93\u1e97\u1e9e\u1ea0-\u1ef9\u1f00-\u1f15`,
  String.raw`\u1f18-\u1f1d\u1f20-\u1f45\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4`,
  String.raw`\u1fb6-\u1fc4\u1fc6-\u1fd3\u1fd6-\u1fdb\u1fdd-\u1fef\u1ff2-\u1ff4\u1ff6-\u1ffe\u2013-\u2014`,
  String.raw`\u2018-\u2019\u201c-\u201d`,
];
const ENGRAVABLE_TEXT = new RegExp(`^[${ENGRAVABLE.join("")}]*$`, "u");

/** Whether the typeface has all characters of a text. */
export const isEngravable = (text: string): boolean => ENGRAVABLE_TEXT.test(text.normalize("NFC"));
