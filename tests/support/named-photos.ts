import { randomUUID } from "node:crypto";
import { asCaller, type Caller, SERVICE } from "../../server/database/as-caller.ts";
import type { Database } from "../../server/database/database.ts";
import type { Who, World } from "./world.ts";

type Row = Record<string, unknown>;

/** Returns functions that name people on photos in Ada's memory, as callers of a world. */
export function namesIn(db: Database, world: World) {
  const run = (caller: Caller, text: string, values: unknown[] = []) =>
    asCaller(db, caller, async (tx) => (await tx.query<Row>(text, values)).rows);
  const as = (who: Who, text: string, values: unknown[] = []) => run(world.callers[who], text, values);

  /** Adds a photo as a guest, or for a person. */
  async function photoOf(caller: Caller): Promise<string> {
    const id = randomUUID();
    const isGuest = caller.role === "anon";
    await run(
      isGuest ? caller : SERVICE,
      `insert into storage.objects (id, bucket_id, name, version, metadata, owner, owner_id)
     values ($1, 'media', $2, gen_random_uuid()::text, '{"mimetype": "image/jpeg", "size": 1}', $3::uuid, $3)`,
      [id, `${world.memoryId}/${id}.jpg`, isGuest ? null : caller.sub],
    );
    return id;
  }
  const photo = () => photoOf(world.callers.owner);
  const name = async (
    who: Who,
    mediaIds: string[],
    personId: string,
    text: string | null = null,
    memory = world.memoryId,
  ) =>
    (await as(who, "select name_people($1, $2, $3, $4) as id", [memory, mediaIds, personId, text])).map(({ id }) => id);
  async function person(text = "Maria"): Promise<string> {
    const id = randomUUID();
    await as("owner", "insert into pictured_people (id, memory_id, name) values ($1, $2, $3)", [
      id,
      world.memoryId,
      text,
    ]);
    return id;
  }
  const namesOn = async (who: Who, mediaId: string) =>
    (await as(who, "select person_id from media_names where media_id = $1 order by created_at", [mediaId])).map(
      ({ person_id }) => person_id,
    );
  const sees = async (who: Who, personId: string) =>
    (await as(who, "select from pictured_people where id = $1", [personId])).length === 1;
  const merge = (who: Who, from: string, into: string | null) =>
    as(who, "update pictured_people set merged_into = $2 where id = $1 returning id", [from, into]);
  return { run, as, photoOf, photo, name, person, namesOn, sees, merge };
}
