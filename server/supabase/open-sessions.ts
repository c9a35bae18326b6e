import type { Caller } from "../database/as-caller.ts";
import type { Database } from "../database/database.ts";

/** A cache of open sessions, which saves a query for each request. */
export interface OpenSessions {
  /** Whether the session of a caller's token is open; true for a token without one. */
  isOpen(caller: Caller): boolean | Promise<boolean>;
  close(): Promise<void>;
}

/** The maximum number of cached sessions. */
const REMEMBERED = 50_000;

/**
 * Caches sessions that the database has confirmed, until a notification from any process announces their end. While the
 * listener is disconnected, every check queries the database.
 */
export async function openSessions(db: Pick<Database, "read" | "listen">): Promise<OpenSessions> {
  const open = new Set<string>();
  const asking = new Map<string, Promise<boolean>>();
  let isListening = true;
  /** Incremented by every notification and every loss of the listener. Results of earlier queries are not cached. */
  let changes = 0;

  const forget = (ids: Iterable<string>) => {
    changes += 1;
    for (const id of ids) open.delete(id);
    asking.clear();
  };
  const lost = () => {
    isListening = false;
    forget([...open]);
  };
  const heard = (id: string) => {
    forget(id === "" ? [...open] : [id]);
    isListening = true;
  };
  const stopListening = await db.listen("session_ended", heard, lost);

  async function lookUp(id: string): Promise<boolean> {
    const before = changes;
    const { rows } = await db.read<{ is_timed: boolean }>(
      `select not_after is not null as is_timed from auth.sessions
       where id = $1 and (not_after is null or not_after > now())`,
      [id],
    );
    const [session] = rows;
    // A session with an expiry is not cached, because no notification announces the expiry.
    if (session && !session.is_timed && isListening && changes === before) remember(id);
    return session !== undefined;
  }

  function remember(id: string) {
    open.add(id);
    const [oldest] = open;
    if (open.size > REMEMBERED && oldest !== undefined) open.delete(oldest);
  }

  return {
    isOpen({ session_id: id }) {
      if (id === undefined || id === null) return true;
      if (typeof id !== "string" || !UUID.test(id)) return false;
      if (open.has(id)) return true;
      if (!isListening) return lookUp(id);
      const asked = asking.get(id) ?? lookUp(id);
      asking.set(id, asked);
      const done = () => asking.get(id) === asked && asking.delete(id);
      asked.then(done, done);
      return asked;
    },
    close: stopListening,
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
