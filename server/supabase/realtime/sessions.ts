import type { Caller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";

/** Calls the followers of a session when the session ends. */
export interface SessionWatch {
  /** Calls `ended` when the caller's session has ended. Returns a function that stops this. */
  follow(caller: Caller, ended: () => void): () => void;
  /** Whether the caller's session is open; true for a caller without one, e.g. a visitor of a share link. */
  isOpen(caller: Caller): Promise<boolean>;
  /** Checks all followed sessions. */
  check(): Promise<void>;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function watchSessions(db: Database): SessionWatch {
  const followers = new Map<string, Set<() => void>>();
  const findOpen = async (ids: string[]) => {
    const { rows } = await db.read<{ id: string }>(
      "select id::text from auth.sessions where id = any($1::uuid[]) and coalesce(not_after > now(), true)",
      [ids.filter((id) => UUID.test(id))],
    );
    return new Set(rows.map(({ id }) => id));
  };
  return {
    follow(caller, ended) {
      const id = sessionOf(caller);
      if (id === undefined) return () => {};
      const same = followers.get(id) ?? new Set();
      followers.set(id, same.add(ended));
      return () => {
        same.delete(ended);
        if (same.size === 0 && followers.get(id) === same) followers.delete(id);
      };
    },
    async isOpen(caller) {
      const id = sessionOf(caller);
      return id === undefined || (await findOpen([id])).has(id);
    },
    async check() {
      if (followers.size === 0) return;
      const ids = [...followers.keys()];
      const open = await findOpen(ids);
      for (const id of ids) {
        if (open.has(id)) continue;
        for (const ended of [...(followers.get(id) ?? [])]) ended();
      }
    },
  };
}

const sessionOf = ({ session_id: id }: Caller): string | undefined =>
  id === undefined || id === null ? undefined : String(id).toLowerCase();
