import { randomUUID } from "node:crypto";
import { asCaller, type Caller, SERVICE, VISITOR } from "../../server/database/as-caller.ts";
import type { Database } from "../../server/database/database.ts";
import { pinHash } from "../../server/functions/pin-hash.ts";

/** Every kind of caller, as seen from Ada's memory. */
export const WHO = ["nobody", "stranger", "visitor", "superseded", "owner", "service"] as const;
export type Who = (typeof WHO)[number];

/** Ada and what is hers, Bob who has nothing to do with her, and the tokens that open her memory or did. */
export interface World {
  callers: Record<Who, Caller>;
  ada: string;
  bob: string;
  /** Someone without a profile. */
  orphanId: string;
  memoryId: string;
  bobsMemoryId: string;
  draftId: string;
  /** The first link, with a PIN. */
  linkId: string;
  /** A second one, without. */
  openLinkId: string;
  /** A photo; the row in media has the same id. */
  objectId: string;
  /** One whose row in media is missing. */
  bareObjectId: string;
  bobsObjectId: string;
  /** Some PIN's. */
  hash: string;
}

export async function makeWorld(db: Database): Promise<World> {
  const [ada, bob, orphanId] = [randomUUID(), randomUUID(), randomUUID()];
  for (const id of [ada, bob, orphanId]) {
    await db.query("insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now())", [
      id,
      `${id}@example.com`,
    ]);
  }
  await db.query("insert into email_preferences (email) values ($1)", [`${ada}@example.com`]);
  await db.query("delete from profiles where id = $1", [orphanId]);
  await db.query("insert into storage.buckets (id, name) values ('spare', 'spare')");
  const owner: Caller = { role: "authenticated", sub: ada };
  const stranger: Caller = { role: "authenticated", sub: bob };

  const one = async (caller: Caller, text: string, values: unknown[]) => {
    const { rows } = await asCaller(db, caller, (tx) => tx.query<{ id: string }>(`${text} returning id`, values));
    return rows[0]?.id ?? "";
  };
  const memory = (caller: Caller, draft = false) =>
    one(caller, "insert into memories (person_name, draft) values ('Someone', $1)", [draft]);
  const photo = (caller: Caller, memoryId: string) =>
    one(
      caller,
      `insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata)
       values ('media', $1, $2::uuid, $2::uuid::text, gen_random_uuid()::text, '{"mimetype": "image/jpeg", "size": 1}')`,
      [`${memoryId}/${randomUUID()}.jpg`, caller.sub],
    );

  const [memoryId, bobsMemoryId, draftId] = [await memory(owner), await memory(stranger), await memory(owner, true)];
  const links = await db.query<{ id: string }>("select id from share_links where memory_id = $1", [memoryId]);
  const linkId = links.rows[0]?.id ?? "";
  const hash = await pinHash(new Uint8Array(32)).make("0417");
  await asCaller(db, owner, (tx) => tx.query("insert into share_pins (link_id, hash) values ($1, $2)", [linkId, hash]));
  const openLinkId = await one(SERVICE, "insert into share_links (memory_id) values ($1)", [memoryId]);
  const [objectId, bareObjectId] = [await photo(owner, memoryId), await photo(owner, memoryId)];
  const bobsObjectId = await photo(stranger, bobsMemoryId);
  await db.query("delete from media where id = $1", [bareObjectId]);

  const share = (version: number): Caller => ({ role: "anon", share: { link: linkId, version } });
  return {
    callers: { nobody: VISITOR, stranger, visitor: share(2), superseded: share(1), owner, service: SERVICE },
    ...{
      ada,
      bob,
      orphanId,
      memoryId,
      bobsMemoryId,
      draftId,
      linkId,
      openLinkId,
      objectId,
      bareObjectId,
      bobsObjectId,
    },
    hash,
  };
}
