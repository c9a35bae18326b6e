/** News of a memory for its members, on the page and by email. */
export type MemoryNoticeKind =
  | "comment"
  | "answer"
  | "mention"
  | "added"
  | "story"
  | "held"
  | "accepted"
  | "declined"
  | "offered"
  | "offer-declined"
  | "taken-over";
