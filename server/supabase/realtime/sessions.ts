import type { Caller } from "../../database/as-caller.ts";
import type { Database } from "../../database/database.ts";
import { OPEN_SESSIONS, type PresentClaims, withPresentClaims } from "../present-claims.ts";

interface Follower {
  /** Called when the caller's session has ended. */
  ended(): void;
  /** Receives the caller with its present claims, at the first check and when they have changed. */
  changed(caller: Caller): void;
}

/** Tells the followers of a session when it ends, and what its claims are. */
export interface SessionWatch {
  /** Returns a function that stops following. */
  follow(caller: Caller, follower: Follower): () => void;
  /** Whether the caller's session is open; true for a caller without one, e.g. a visitor of a share link. */
  isOpen(caller: Caller): Promise<boolean>;
  /** Checks all followed sessions. */
  check(): Promise<void>;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function watchSessions(db: Database): SessionWatch {
  /** By session: each follower with its caller and the claims of the last check as JSON. */
  const followers = new Map<string, Map<Follower, { caller: Caller; claims: string }>>();
  const findOpen = async (ids: string[]) => {
    const { rows } = await db.read<PresentClaims & { id: string }>(
      `select s.id::text, ${OPEN_SESSIONS} and s.id = any($1::uuid[])`,
      [ids.filter((id) => UUID.test(id))],
    );
    return new Map(rows.map(({ id, ...claims }) => [id, claims]));
  };
  return {
    follow(caller, follower) {
      const id = sessionOf(caller);
      if (id === undefined) return () => {};
      const same = followers.get(id) ?? new Map();
      followers.set(id, same.set(follower, { caller, claims: "" }));
      return () => {
        same.delete(follower);
        if (same.size === 0 && followers.get(id) === same) followers.delete(id);
      };
    },
    async isOpen(caller) {
      const id = sessionOf(caller);
      return id === undefined || (await findOpen([id])).has(id);
    },
    async check() {
      if (followers.size === 0) return;
      // Others may begin to follow during the query, which says nothing about their sessions.
      const ids = [...followers.keys()];
      const open = await findOpen(ids);
      for (const id of ids) {
        const present = open.get(id);
        const claims = JSON.stringify(present);
        for (const [follower, last] of [...(followers.get(id) ?? [])]) {
          if (!present) follower.ended();
          else if (last.claims !== claims) follower.changed(withPresentClaims(last.caller, present));
          last.claims = claims;
        }
      }
    },
  };
}

const sessionOf = ({ session_id: id }: Caller): string | undefined =>
  id === undefined || id === null ? undefined : String(id).toLowerCase();
