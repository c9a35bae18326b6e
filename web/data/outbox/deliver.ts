import type { WaitingWrite } from "./waiting-write.ts";

interface Answer {
  error: { code?: string; hint?: string | null } | null;
  /** 0 if there was no response. */
  status: number;
}

/** The writing requests of a sender. */
export interface Rows {
  /** Inserts a row; nothing happens if a row with its id exists. */
  insert(table: "comments" | "reactions", row: object): PromiseLike<Answer>;
  remove(table: "reactions", id: string): PromiseLike<Answer>;
}

/** The server could not be reached, or was not able to answer. */
export class Unreachable extends Error {}

const UNIQUE = "23505";

/** Sends a write. Rejects with {@link Unreachable} if it has to be sent again later, otherwise it was refused. */
export async function deliver(rows: Rows, write: WaitingWrite): Promise<void> {
  if (write.kind === "comment") {
    const { id, memoryId, mediaId, parentId, body, mentions } = write;
    const row = { id, memory_id: memoryId, media_id: mediaId, parent_id: parentId, body, mentions };
    return check(await rows.insert("comments", row));
  }
  const { id, memory_id, media_id, comment_id, kind } = write.reaction;
  if (write.taken) return check(await rows.remove("reactions", id));
  // The reaction may exist already under another id, e.g. from another device.
  check(await rows.insert("reactions", { id, memory_id, media_id, comment_id, kind }), UNIQUE);
}

/** The database refuses the row; PostgREST answers visitors with 401, too, as if the token were wrong. */
const FORBIDDEN = "42501";

function check({ error, status }: Answer, asGood?: string) {
  if (!error || (asGood !== undefined && error.code === asGood)) return;
  const later = status === 0 || status === 408 || status === 429 || status >= 500;
  const Failure = later || (status === 401 && error.code !== FORBIDDEN) ? Unreachable : Error;
  throw new Failure("Failed to send", { cause: error });
}
