import { RequestError } from "../../shared/request-error.ts";
import { type OpenedWall, OpenWall } from "../../shared/wall.ts";
import { endpoint } from "./endpoint.ts";

interface Wall {
  id: string;
  memory_id: string;
  version: number;
  seconds_left: number | null;
}

const LONGEST_SECONDS = 3600;

/**
 * POST /functions/v1/open-wall: resolves the address of a wall to a token for its screen, which reads what the wall
 * shows and nothing else. A wall that is off, has ended or belongs to a deleted memory is answered like an unknown one.
 */
export const openWall = endpoint(
  { ownPagesOnly: true, caller: "unidentified", body: OpenWall },
  async ({ db, tokens, body: { wallId } }) => {
    const { rows } = await db.query<Wall>(
      `select w.id, w.memory_id, w.version, extract(epoch from w.expires_at - now())::float8 as seconds_left
       from walls w join memories m on m.id = w.memory_id and not m.draft and m.deleted_at is null
       where w.wall_id = $1 and w.revoked_at is null and coalesce(w.expires_at > now(), true)`,
      [wallId],
    );
    const [wall] = rows;
    if (!wall) throw new RequestError("wall_off");
    const expiresIn = Math.max(1, Math.floor(Math.min(LONGEST_SECONDS, wall.seconds_left ?? LONGEST_SECONDS)));
    // Never the session of who opened it: a screen in a room belongs to nobody.
    const claims = { role: "anon" as const, aud: "anon", wall: { id: wall.id, version: wall.version } };
    return {
      token: await tokens.sign(claims, expiresIn),
      expiresIn,
      id: wall.id,
      memoryId: wall.memory_id,
      version: wall.version,
    } satisfies OpenedWall;
  },
);
