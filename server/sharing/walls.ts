import type { OpenedWall } from "../../shared/wall.ts";
import type { Database } from "../database/database.ts";
import type { Tokens } from "../supabase/tokens.ts";

interface Wall {
  id: string;
  memory_id: string;
  version: number;
  seconds_left: number | null;
}

const LONGEST_SECONDS = 3600;

/** Opens a wall for its screen; undefined if it is off, has ended, or belongs to a deleted memory or a draft. */
export async function openedWall(
  { db, tokens }: { db: Database; tokens: Tokens },
  wallId: string,
): Promise<OpenedWall | undefined> {
  const { rows } = await db.query<Wall>(
    `select w.id, w.memory_id, w.version, extract(epoch from w.expires_at - now())::float8 as seconds_left
     from walls w join memories m on m.id = w.memory_id and not m.draft and m.deleted_at is null
     where w.wall_id = $1 and w.revoked_at is null and coalesce(w.expires_at > now(), true)`,
    [wallId],
  );
  const [wall] = rows;
  if (!wall) return undefined;
  const expiresIn = Math.max(1, Math.floor(Math.min(LONGEST_SECONDS, wall.seconds_left ?? LONGEST_SECONDS)));
  // Never the session of who opened it: a screen in a room belongs to nobody.
  const claims = { role: "anon" as const, aud: "anon", wall: { id: wall.id, version: wall.version } };
  return {
    token: await tokens.sign(claims, expiresIn),
    expiresIn,
    id: wall.id,
    memoryId: wall.memory_id,
    version: wall.version,
  };
}
