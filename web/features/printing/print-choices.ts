import type { HostReply } from "../../data/day-replies.queries.ts";
import { namesOf, stateOf } from "../../data/reply-state.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import type { PrintedLink, Prints } from "./printing.queries.ts";
import { FORMATS, type Format } from "./sheets.ts";

/** The longest printed texts, as the database accepts them. */
export const LONGEST = { title: 120, words: 300, hint: 120, place_words: 120 } as const;
export type WordField = keyof typeof LONGEST;
export const MOST_NAMES = 500;
export const MOST_TABLES = 60;
export const MOST_COPIES = 20;

/** What is chosen while the page is open. Words are stored; these choices are not. */
export interface Choices {
  format: Format;
  bleed: boolean;
  /** One code on all cards, or the code of each chosen link on cards of its own. */
  codes: "one" | "each";
  linkId: string;
  linkIds: readonly string[];
  copies: number;
  printsSecret: boolean;
  /** Whether place cards have a code. */
  placeCode: boolean;
}

export const formatOf = (text: string | null): Format => FORMATS.find((format) => format === text) ?? "cards8";

/** The links whose codes are printed. */
export function chosenLinks(links: readonly PrintedLink[], { format, codes, linkId, linkIds, placeCode }: Choices) {
  const one = links.filter(({ id }) => id === linkId);
  if (format === "places") return placeCode ? one : [];
  return codes === "one" ? one : links.filter(({ id }) => linkIds.includes(id));
}

/** Orders links by their names, Table 2 before Table 10. */
export function byName(links: readonly PrintedLink[], language: string): PrintedLink[] {
  const { compare } = new Intl.Collator(localeOf(language), { numeric: true });
  return links.toSorted((a, b) => compare(a.label, b.label));
}

/** The lines of a text that are not empty. */
export const linesOf = (text: string, most: number): string[] =>
  text
    .split("\n")
    .map((line) => line.trim().slice(0, 100))
    .filter((line) => line !== "")
    .slice(0, most);

/** A person who said yes, by the reply and name. */
export interface Coming {
  key: string;
  name: string;
}

/** Everybody who said yes and has a place, in the order of the replies. */
export const comingOf = (replies: readonly HostReply[], guestOf: (name: string) => string): Coming[] =>
  replies
    .filter((reply) => stateOf(reply) === "yes")
    .flatMap((reply) =>
      namesOf(reply, guestOf).map((name, at, names) => {
        // Unnamed persons of a household have the same name.
        const before = names.slice(0, at).filter((other) => other === name).length;
        return { key: `${reply.id} ${name}${before > 0 ? ` ${before + 1}` : ""}`, name };
      }),
    );

/** The names on place cards: of who comes, without those who are left out, and further ones. */
export const placeNames = (coming: readonly Coming[], { left_out, extra_names }: Prints): string[] => [
  ...coming.filter(({ key }) => !left_out.includes(key)).map(({ name }) => name),
  ...extra_names.filter((name) => name.trim() !== ""),
];
