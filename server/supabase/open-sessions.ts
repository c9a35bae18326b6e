import type { Caller } from "../database/as-caller.ts";
import type { Database } from "../database/database.ts";
import { OPEN_SESSIONS, type PresentClaims, withPresentClaims } from "./present-claims.ts";

/** A cache of open sessions with their present claims, which saves a query for each request. */
export interface OpenSessions {
  /** The caller with the present claims of its token's session; undefined once the session has ended. */
  present(caller: Caller): Caller | undefined | Promise<Caller | undefined>;
  /** Whether the session of a caller's token is open; true for a token without one. */
  isOpen(caller: Caller): boolean | Promise<boolean>;
  close(): Promise<void>;
}

/** The maximum number of cached sessions. */
const REMEMBERED = 50_000;

/** A query for a session's present claims, and the second since 1970 in which it began. */
interface ClaimsQuery {
  since: number;
  claims: PresentClaims | Promise<PresentClaims | undefined>;
}

/**
 * Caches sessions that the database has confirmed, until a notification from any process announces their end or a change
 * of their claims. While the listener is disconnected, every check queries the database. A token that is newer than the
 * query is checked by another one: the change that the token tells of may still be unannounced here.
 */
export async function openSessions(db: Pick<Database, "read" | "listen">): Promise<OpenSessions> {
  const open = new Map<string, ClaimsQuery>();
  const asking = new Map<string, ClaimsQuery>();
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
    forget([...open.keys()]);
  };
  const heard = (id: string) => {
    forget(id === "" ? [...open.keys()] : [id]);
    isListening = true;
  };
  const stopListening = await db.listen("session_ended", heard, lost);

  async function lookUp(id: string, since: number): Promise<PresentClaims | undefined> {
    const before = changes;
    const { rows } = await db.read<PresentClaims & { is_timed: boolean }>(
      `select s.not_after is not null as is_timed, ${OPEN_SESSIONS} and s.id = $1`,
      [id],
    );
    if (!rows[0]) return undefined;
    const { is_timed, ...claims } = rows[0];
    // A session with an expiry is not cached, because no notification announces the expiry.
    if (!is_timed && isListening && changes === before) remember(id, { since, claims });
    return claims;
  }

  function remember(id: string, query: ClaimsQuery) {
    open.set(id, query);
    const [oldest] = open.keys();
    if (open.size > REMEMBERED && oldest !== undefined) open.delete(oldest);
  }

  /** Finds the present claims of a session for a token that was issued in the second `issued` since 1970. */
  function find(id: string, issued: number): ClaimsQuery["claims"] {
    const earlier = open.get(id) ?? asking.get(id);
    if (earlier && isListening && earlier.since > issued) return earlier.claims;
    const since = Math.floor(Date.now() / 1000);
    const claims = lookUp(id, since);
    if (!isListening) return claims;
    const query: ClaimsQuery = { since, claims };
    asking.set(id, query);
    const done = () => asking.get(id) === query && asking.delete(id);
    claims.then(done, done);
    return claims;
  }

  function present(caller: Caller): Caller | undefined | Promise<Caller | undefined> {
    const { session_id: id } = caller;
    if (id === undefined || id === null) return caller;
    if (typeof id !== "string" || !UUID.test(id)) return undefined;
    const claims = find(id, typeof caller.iat === "number" ? caller.iat : 0);
    if (claims instanceof Promise) return claims.then((later) => later && withPresentClaims(caller, later));
    return claims && withPresentClaims(caller, claims);
  }

  return {
    present,
    isOpen(caller) {
      const now = present(caller);
      return now instanceof Promise ? now.then((later) => later !== undefined) : now !== undefined;
    },
    close: stopListening,
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
