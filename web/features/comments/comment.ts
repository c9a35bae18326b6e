/** What somebody said about a memory or one of its photos. */
export interface Comment {
  id: string;
  memory_id: string;
  /** The photo it is about; null for the memory itself. */
  media_id: string | null;
  /** What it answers; null where it begins a thread. */
  parent_id: string | null;
  /** Null once their account is gone. */
  user_id: string | null;
  /** Which guest wrote it; null for who is signed in. */
  guest_id: string | null;
  /** Empty where nobody signed it, and for whoever is not told names. */
  author_name: string;
  /** Plain text; empty once it is deleted. */
  body: string;
  mentions: string[];
  moderation: "shown" | "held" | "hidden";
  created_at: string;
  edited_at: string | null;
  /** Withdrawn while it had answers. */
  deleted_at: string | null;
}

export const KINDS = ["heart", "flower", "hug", "smile"] as const;
export type Kind = "candle" | (typeof KINDS)[number];

/** A sign given to a memory, a photo or a comment. */
export interface Reaction {
  id: string;
  memory_id: string;
  media_id: string | null;
  comment_id: string | null;
  user_id: string | null;
  guest_id: string | null;
  /** As for comments. */
  name: string;
  kind: Kind;
  created_at: string;
}

/** What a conversation is about: a memory, or one of its photos. */
export interface Subject {
  memoryId: string;
  mediaId: string | null;
}

/** Whether something was said or given by them. */
export const isBy = (one: Pick<Comment, "user_id" | "guest_id">, id: string | undefined) =>
  id !== undefined && (one.user_id ?? one.guest_id) === id;

export const LONGEST = 5000;

/** Characters as people count them, and as the server does. */
export const lengthOf = (text: string) => [...text].length;
