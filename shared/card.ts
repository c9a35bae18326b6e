import { z } from "zod";
import { FINISHES, isEngravable, MOST_DATES, MOST_NAME } from "./card-face.ts";
import { asciiDigits, beginningOf } from "./typed-text.ts";

const lineOf = (most: number) =>
  z
    .string()
    .transform((text) => beginningOf(text).normalize("NFC").replaceAll(/\s+/g, " ").trim())
    .refine((text) => text.length <= most && isEngravable(text), "not engravable");

/** The engraving of a card, besides its QR code. */
export const Engraving = z.object({
  name: lineOf(MOST_NAME),
  dates: lineOf(MOST_DATES),
  finish: z.enum(FINISHES),
  language: z.enum(["en", "it"]),
});
export type Engraving = z.infer<typeof Engraving>;

/** The engraving in a cart, where each part may be missing; the memory that the card will open may be added. */
export const WantedEngraving = z.looseObject({
  name: lineOf(MOST_NAME).nullish(),
  dates: lineOf(MOST_DATES).nullish(),
});

/**
 * Normalises a card's code or activation code to its stored form: capitals and digits. Characters that are easily
 * confused are replaced, so that every way to type or scan a code gives the same result.
 */
export const cardCode = (typed: string): string =>
  asciiDigits(beginningOf(typed).normalize("NFKC"))
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");

/** Whether a normalised code has the form of a card's. */
export const isCardCode = (code: string): boolean => /^[0-9A-HJKMNP-TV-Z]{12}$/.test(code);

/** Formats a code in groups of four, for reading aloud. */
export const groupedCode = (code: string): string => code.match(/.{1,4}/g)?.join("-") ?? code;

/**
 * Returns the URL in a card's QR code, in capitals. Scheme, host and this path ignore case, and a QR code stores
 * capitals in two thirds of the space, so that its modules can be larger.
 */
export const engravedLink = (publicUrl: string, code: string): string => `${publicUrl}/c/${code}`.toUpperCase();

const Code = z.string().max(40).transform(cardCode);

/** Body of open-card. */
export const OpenCard = z.object({ code: Code });

/** The state of a scanned card: a share to open, or the holder's next step. `yours` is true for the holder. */
export type OpenedCard =
  | { state: "assigned"; shareId: string; yours: boolean }
  | { state: "unclaimed"; yours: boolean; cardId?: string }
  | { state: "claimed" | "lost" | "disabled"; yours: true; cardId: string };

/** Body of claim-card. */
export const ClaimCard = z.object({ code: Code, secret: z.string().max(40).transform(cardCode) });

/** Body of release-card. */
export const ReleaseCard = z.object({ cardId: z.uuid() });

/** The delivery address of cards, in the payment provider's format. */
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
