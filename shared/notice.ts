/** The kinds of notices to a memory's members, shown on the page and sent by email. */
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
  | "taken-over"
  | "revealed"
  | "request-done"
  | "request-declined";
