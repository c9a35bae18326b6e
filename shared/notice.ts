/** What is new in a memory and told to its people, on the page and by email. */
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
