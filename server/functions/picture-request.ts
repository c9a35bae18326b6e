import { normalizeIP } from "@fastify/rate-limit";
import type { z } from "zod";
import { type NewPictureRequest, PictureRequest } from "../../shared/picture-request.ts";
import { RequestError } from "../../shared/request-error.ts";
import { asCaller, type Caller } from "../database/as-caller.ts";
import type { Database } from "../database/database.ts";
import { linkOf } from "../sharing/share-token.ts";
import { endpoint } from "./endpoint.ts";

const HOUR = 3600;
/** Requests in an hour per network, which may be a whole school, and per person or per link and network. */
const FROM_ADDRESS = 30;
const FROM_CALLER = 10;

/**
 * POST /functions/v1/picture-request: somebody in a picture asks its managers to blur or hide it, or takes that back. The
 * picture stays as it is. Responds 202 with `{ id }`, or 404 for a picture that the caller cannot see.
 */
export const pictureRequest = endpoint(
  { ownPagesOnly: true, caller: "anyone", body: PictureRequest },
  async ({ db, limits, caller, body, address }) => {
    // A family of a hundred has one link.
    const whose = caller.sub ?? `${linkOf(caller)?.id} ${normalizeIP(address)}`;
    await limits.spend([
      { key: `picture requests from ${normalizeIP(address)}`, most: FROM_ADDRESS, seconds: HOUR },
      { key: `picture requests of ${whose}`, most: FROM_CALLER, seconds: HOUR },
    ]);
    if ("withdraw" in body) {
      // What was decided stays.
      await db.query(
        `delete from picture_requests where id = $1 and state = 'open'
           and user_id is not distinct from $2 and guest_id is not distinct from $3`,
        [body.withdraw, personOf(caller), guestOf(caller)],
      );
      return Response.json({ id: body.withdraw }, { status: 202 });
    }
    const id = await store(db, caller, body);
    if (!id) throw new RequestError("not_found");
    return Response.json({ id }, { status: 202 });
  },
);

const personOf = (caller: Caller) => (caller.role === "authenticated" ? (caller.sub ?? null) : null);
const guestOf = (caller: Caller) => (caller.share as { guest?: string } | undefined)?.guest ?? null;

/** The picture, if the caller can see it, and whether parts of it can be blurred. */
async function pictureSeen(db: Database, caller: Caller, id: string) {
  const { rows } = await asCaller(db, caller, (tx) =>
    tx.query<{ memory_id: string; can_blur: boolean }>(
      "select memory_id, type = 'image' and pages is null as can_blur from media where id = $1 and type in ('image', 'video')",
      [id],
    ),
  );
  return rows[0];
}

/** Stores a request; undefined for a picture that the caller cannot see. */
async function store(
  db: Database,
  caller: Caller,
  { mediaId, wish, words, name, email }: z.output<typeof NewPictureRequest>,
): Promise<string | undefined> {
  const picture = await pictureSeen(db, caller, mediaId);
  if (!picture) return undefined;
  if (wish === "blur" && !picture.can_blur) throw new RequestError("validation_failed");
  const { rows } = await db.query<{ id: string }>(
    `insert into picture_requests (media_id, memory_id, wish, words, name, email, user_id, guest_id)
     select $1, $2, $3, $4, left(coalesce(nullif(private.name_of_author($7, g.id), ''), $5), 100), $6, $7, g.id
     from (select (select g.id from guests g where g.id = $8) as id) g returning id`,
    [mediaId, picture.memory_id, wish, words, name, email ?? null, personOf(caller), guestOf(caller)],
  );
  return rows[0]?.id;
}
