/** What is new in a memory and told to its people, on the page and by letter. */
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

/** Everything that a person is told of, as the check on `notices.kind` has it. */
export type NoticeKind =
  | MemoryNoticeKind
  | "locked"
  | "storage-75"
  | "storage-90"
  | "storage-full"
  | "birthday"
  | "passing"
  | "event";
