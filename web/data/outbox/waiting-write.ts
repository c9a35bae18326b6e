import type { Row } from "../../../shared/database.ts";

/** Something that a person has written or given, on its way to the server. */
interface Written {
  /** Made on this device, so that sending it again stores nothing twice. */
  id: string;
  /** The account, or the link and its visitor, that alone reads and sends it on this device. */
  owner: string;
  memoryId: string;
  /** When it was written (ISO 8601). */
  at: string;
  /**
   * `sending`: this page sends it for the first time; on the device it waits. `failed`: the server has refused it, and it
   * stays until the person has decided.
   */
  state: "sending" | "waiting" | "failed";
}

export interface CommentWrite extends Written {
  kind: "comment";
  mediaId: string | null;
  parentId: string | null;
  body: string;
  mentions: string[];
}

/** A reaction as pages show it. */
export type WrittenReaction = Pick<
  Row<"reactions">,
  "id" | "memory_id" | "media_id" | "comment_id" | "guest_id" | "user_id" | "kind" | "created_at"
> & { name: string };

/** A candle or another reaction that a person gives, or takes back if `taken`. */
export interface ReactionWrite extends Written {
  kind: "reaction";
  reaction: WrittenReaction;
  taken: boolean;
}

export type WaitingWrite = CommentWrite | ReactionWrite;

type WithoutState<Write> = Write extends unknown ? Omit<Write, "state"> : never;

/** A write before it is in the outbox. */
export type NewWrite = WithoutState<WaitingWrite>;

/** The owner of writes: a signed-in person, or with `shareId` a link's visitor. */
export const ownerOf = (authorId: string, shareId?: string) =>
  shareId === undefined ? `person-${authorId}` : `link-${shareId}/${authorId}`;

/** Whether writes of this owner were written at this link. */
export const isAtLink = (owner: string, shareId: string) => owner.startsWith(`link-${shareId}/`);
