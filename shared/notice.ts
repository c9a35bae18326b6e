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

/** All kinds of notices: also those about a link, the account's storage, damaged files and remembered days. */
export type NoticeKind =
  | MemoryNoticeKind
  | "locked"
  | "storage-75"
  | "storage-90"
  | "storage-full"
  | "file-lost"
  | "birthday"
  | "passing"
  | "event";
