import type { Comment, Reaction, Subject } from "./comment.ts";
import {
  type CommentRow,
  type Credits,
  type ReactionRow,
  signedComment,
  signedReactions,
  withCredit,
} from "./signatures.ts";

/** The pagination cursor: the next page contains threads older than this position. */
export interface Cursor {
  created_at: string;
  id: string;
}

/** A page of threads with answers and reactions; the newest threads are in the first page. */
export interface Page {
  comments: CommentRow[];
  reactions: ReactionRow[];
  credits: Credits;
  /** Undefined on the last page. */
  next: Cursor | undefined;
}

export interface Thread {
  head: Comment;
  /** Oldest first. */
  answers: Comment[];
}

/** A realtime change: the row's current state, or its deletion. */
export interface CommentChange {
  event: "INSERT" | "UPDATE" | "DELETE";
  table: string;
  row: Record<string, unknown>;
}

const byTime = (a: Cursor, b: Cursor) =>
  Date.parse(a.created_at) - Date.parse(b.created_at) ||
  a.created_at.localeCompare(b.created_at) ||
  a.id.localeCompare(b.id);

/** Whether one comment is older than the other. */
export const isBefore = (a: Cursor, b: Cursor) => byTime(a, b) < 0;

/** The threads of all pages, newest first and without duplicates. */
export function threadsOf(pages: readonly Page[]): Thread[] {
  const credits = creditsOf(pages);
  const byId = new Map<string, Comment>();
  for (const { comments } of pages)
    for (const comment of comments)
      if (!byId.has(comment.id)) byId.set(comment.id, signedComment(comment, credits[comment.id]));
  const threads = new Map<string, Thread>();
  const inOrder = [...byId.values()].sort(byTime);
  for (const head of inOrder) if (head.parent_id === null) threads.set(head.id, { head, answers: [] });
  for (const answer of inOrder) if (answer.parent_id !== null) threads.get(answer.parent_id)?.answers.push(answer);
  return [...threads.values()].reverse();
}

/** Returns the reactions to the comments, with authors' names as far as they are visible. */
export const reactionsOf = (pages: readonly Page[]): Reaction[] =>
  signedReactions(
    pages.flatMap(({ reactions }) => reactions),
    creditsOf(pages),
  );

const creditsOf = (pages: readonly Page[]): Credits => Object.assign({}, ...pages.map(({ credits }) => credits));

/** The number of comments, without placeholders of deleted ones. */
export const countOf = (threads: readonly Thread[]) =>
  threads.reduce((sum, { head, answers }) => sum + (head.deleted_at ? 0 : 1) + answers.length, 0);

/** Removes deleted comments. A deleted comment with answers becomes a placeholder. */
export const withoutDeleted = (threads: readonly Thread[], isDeleted: (id: string) => boolean): Thread[] =>
  threads.flatMap(({ head, answers }) => {
    const remaining = answers.filter(({ id }) => !isDeleted(id));
    const isGone = isDeleted(head.id) || head.deleted_at !== null;
    if (isGone && remaining.length === 0) return [];
    return {
      head: isGone ? { ...head, body: "", author_name: "", deleted_at: head.deleted_at ?? head.created_at } : head,
      answers: remaining,
    };
  });

/** Applies changes to the pages; returns the same pages if no change concerns them. */
export function withChanges(pages: readonly Page[], of: Subject, changes: readonly CommentChange[]): Page[] {
  return changes.reduce((before, { event, table, row }) => {
    const id = String(row.id);
    if (table === "comments") {
      if (event === "DELETE") return withChangedRows(before, "comments", (list) => list.filter((one) => one.id !== id));
      return isAbout(row, of) ? put(before, "comments", row as unknown as CommentRow) : before;
    }
    if (table !== "reactions") {
      return before.map((page) => ({ ...page, credits: withCredit(page.credits, { event, table, row }) }));
    }
    if (event === "DELETE") return withChangedRows(before, "reactions", (list) => list.filter((one) => one.id !== id));
    const isListed = before.some(({ comments }) => comments.some((comment) => comment.id === row.comment_id));
    return isListed ? put(before, "reactions", row as unknown as ReactionRow) : before;
  }, pages as Page[]);
}

const isAbout = (row: Record<string, unknown>, { memoryId, mediaId }: Subject) =>
  row.memory_id === memoryId && (row.media_id ?? null) === mediaId;

type Rows = { comments: CommentRow; reactions: ReactionRow };

const withChangedRows = <Part extends keyof Rows>(
  pages: Page[],
  part: Part,
  change: (rows: Rows[Part][]) => Rows[Part][],
) => pages.map((page) => ({ ...page, [part]: change(page[part] as Rows[Part][]) }));

/** Replaces the row with this id, or adds it to the first page. */
function put<Part extends keyof Rows>(pages: Page[], part: Part, row: Rows[Part]): Page[] {
  const isKnown = pages.some((page) => (page[part] as Rows[Part][]).some(({ id }) => id === row.id));
  if (isKnown)
    return withChangedRows(pages, part, (rows) => rows.map((one) => (one.id === row.id ? { ...one, ...row } : one)));
  return pages.map((page, index) => (index === 0 ? { ...page, [part]: [...page[part], row] } : page));
}
