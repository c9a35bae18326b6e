import type { RowChange } from "../../lib/request/use-row-changes.ts";
import type { Comment, Reaction } from "./comment.ts";

/** The author of a comment or reaction. */
export interface Credit {
  name: string;
  /** A comment's text with the names of mentioned people; absent without mentions. */
  words?: string | null;
  /** The name of a comment's author's picture. */
  picture?: string | null;
}

/** Authors by the id of their comment or reaction, as far as names are shown. */
export type Credits = Readonly<Record<string, Credit>>;

/** A stored comment: its author's name is in another table. Ids of accounts are missing for readers without one. */
export type CommentRow = Omit<Comment, "author_name" | "picture" | "user_id" | "mentions"> &
  Partial<Pick<Comment, "user_id" | "mentions">>;
export type ReactionRow = Omit<Reaction, "name" | "user_id"> & Partial<Pick<Reaction, "user_id">>;

/** A row with its author; null if the reader may not see names. */
export type Signed<Row> = Row & { credit: Credit | null };

/** The select expression for a row's author, by table. */
export const CREDITS = {
  comments: "credit:comment_credits(name,words,picture)",
  reactions: "credit:reaction_credits(name)",
} as const;

export const creditsIn = (...read: readonly (readonly Signed<{ id: string }>[])[]): Credits =>
  Object.fromEntries(read.flat().flatMap(({ id, credit }) => (credit ? [[id, credit]] : [])));

export const signedComment = (row: CommentRow, credit: Credit | undefined): Comment => ({
  user_id: null,
  mentions: [],
  ...row,
  author_name: credit?.name ?? "",
  picture: credit?.picture ?? null,
  body: credit?.words ?? row.body,
});

export const signedReactions = (rows: readonly ReactionRow[], credits: Credits): Reaction[] =>
  rows.map((row) => ({ user_id: null, ...row, name: credits[row.id]?.name ?? "" }));

/** Merges a realtime change of an author, which may arrive before or after its comment. */
export function withCredit(credits: Credits, { event, row }: RowChange): Credits {
  const signed = String(row.comment_id ?? row.reaction_id);
  const { [signed]: before, ...others } = credits;
  if (event === "DELETE") return before === undefined ? credits : others;
  return { ...others, [signed]: row as unknown as Credit };
}

/** Formats an author as a realtime change. */
export const creditChange = (table: "comment_credits" | "reaction_credits", id: string, credit: Credit): RowChange => ({
  event: "INSERT",
  table,
  row: { [table === "comment_credits" ? "comment_id" : "reaction_id"]: id, ...credit },
});
