import { z } from "zod";

/** A metal card's size in millimetres. */
export const CARD = { width: 54, height: 86 } as const;

/**
 * What stands where on a card, in millimetres from its top left; `y` of words is their baseline. The shop draws by it what
 * the engraver cuts by it.
 */
export const CARD_FACE = {
  /** The room for words. */
  width: 46,
  horizon: { y: 5, width: 10, path: "M0 4L10 4L10 4.25L0 4.25ZM2 4C2 0 8 0 8 4L7.7 4C7.7 0.4 2.3 0.4 2.3 4Z" },
  /** In one line down to `smallest`, then in two, `line` apart, about the same middle. */
  name: { y: 21.5, size: 6, smallest: 4.4, line: 6 },
  dates: { y: 31.5, size: 3.4 },
  qr: { y: 36, side: 40 },
  caption: { y: 80.5, size: 2.7 },
} as const;

/** What every card says under its code. */
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

const words = (most: number) =>
  z
    .string()
    .transform((text) => text.normalize("NFC").replaceAll(/\s+/g, " ").trim())
    .refine((text) => text.length <= most && isEngravable(text), "not engravable");

/** What is engraved beside the code. */
export const Engraving = z.object({
  name: words(MOST_NAME),
  dates: words(MOST_DATES),
  finish: z.enum(FINISHES),
  language: z.enum(["en", "it"]),
});
export type Engraving = z.infer<typeof Engraving>;

/**
 * A card's code, or what is printed in its pack, as it is kept: capitals and figures without what can be mistaken for
 * another. However somebody types or a scanner writes it, it comes out the same.
 */
export const cardCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");

/** The code in groups of four, as it is read out. */
export const groupedCode = (code: string): string => code.match(/.{1,4}/g)?.join("-") ?? code;

/**
 * What a card's QR code says. In capitals, which scheme, host and this path all admit: a QR code writes them in two thirds
 * of the room, so that each of its modules is the larger.
 */
export const engravedLink = (publicUrl: string, code: string): string => `${publicUrl}/c/${code}`.toUpperCase();

const Code = z.string().max(40).transform(cardCode);

/** Body of open-card. */
export const OpenCard = z.object({ code: Code });

/** What a card leads to: a share, or what its holder has still to do. `yours` to anyone who holds it. */
export type OpenedCard =
  | { state: "assigned"; shareId: string; yours: boolean }
  | { state: "unclaimed"; yours: boolean; cardId?: string }
  | { state: "claimed" | "lost" | "disabled"; yours: true; cardId: string };

/** Body of claim-card. */
export const ClaimCard = z.object({ code: Code, secret: z.string().max(40).transform(cardCode) });

/** Body of release-card. */
export const ReleaseCard = z.object({ cardId: z.uuid() });

/** Where cards are sent, in the shape in which the payment provider asks for it. */
export const Delivery = z.object({
  name: z.string().trim().min(1).max(100),
  address: z.object({
    line1: z.string().trim().min(1).max(200),
    line2: z.string().trim().max(200).nullish(),
    city: z.string().trim().min(1).max(100),
    state: z.string().trim().max(100).nullish(),
    postal_code: z.string().trim().max(20).nullish(),
    country: z.string().trim().length(2),
  }),
});
export type Delivery = z.infer<typeof Delivery>;
