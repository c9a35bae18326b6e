import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import type { Caller } from "../../server/database/as-caller.ts";
import { openSecrets } from "../../server/settings/secrets.ts";
import { signUrl } from "../../server/supabase/storage/signed-url.ts";
import { claimsIn } from "../../web/lib/session/token-claims.ts";
import { givePlan } from "./plans.ts";
import type { TestServer } from "./server.ts";
import { type Owner, ownerOf, post, setPin } from "./sharing.ts";
import { tinyVideo, VIDEO_PLACE } from "./tiny-video.ts";
import { jpeg } from "./uploads.ts";

/** Private data of the originals, which no copy may contain. */
export const SECRETS = ["Nonna's garden 51.5007N", VIDEO_PLACE];

export interface Item {
  id: string;
  kind: "picture" | "video" | "poster";
  bucket: "media" | "posters";
  name: string;
  bytes: Buffer;
}

export interface Asker {
  /** Their bearer token or key. */
  bearer: string;
  /** A signed URL's token for an item, from before any change to links. */
  ticket(item: Item): Promise<string>;
}

export interface MediaWorld {
  memoryId: string;
  items: Record<string, Item>;
  askers: Record<string, Asker>;
}

/** A memory with media in every state, and all kinds of callers: its people, visitors of links, and strangers. */
export async function makeMediaWorld(server: TestServer): Promise<MediaWorld> {
  const { db, keys } = server;
  const { urls } = await openSecrets({ dataDir: server.dataDir });
  const ada = await ownerOf(server, "Grandmother");
  await givePlan(db, ada.userId);
  const askers: Record<string, Asker> = {};
  const add = (who: string, bearer: string, claims: Caller = claimsIn(bearer) as Caller) => {
    const ticket = ({ bucket, name }: Item) => signUrl(urls, { url: `${bucket}/${name}`, caller: claims }, 3600);
    askers[who] = { bearer, ticket };
  };

  add("nobody", keys.publishable, { role: "anon" });
  add("the service", keys.secret, { role: "service_role" });
  add("the owner", ada.token);
  const people = await personsOf(server, ada.memoryId);
  for (const [who, token] of Object.entries(people)) add(who, token);

  const items = await itemsOf(server, ada, people.contributor);
  await db.query("delete from memory_members where role = 'contributor' and user_id = $1", [
    claimsIn(people["a contributor no more"]).sub,
  ]);
  for (const [who, token] of Object.entries(await holdersOf(server, ada, people))) add(who, token);
  return { memoryId: ada.memoryId, items, askers };
}

async function personsOf({ db, sign }: TestServer, memoryId: string) {
  const person = async (role?: string, factor = false) => {
    const id = randomUUID();
    await db.query("insert into auth.users (id, email) values ($1, $2)", [id, `${id}@example.com`]);
    if (role) {
      await db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, $3)", [memoryId, id, role]);
    }
    if (factor) {
      await db.query(
        "insert into auth.mfa_factors (user_id, factor_type, status, secret) values ($1, 'totp', 'verified', 'x')",
        [id],
      );
    }
    return sign({ role: "authenticated", aud: "authenticated", sub: id, aal: "aal1" });
  };
  return {
    "a stranger": await person(),
    "a viewer": await person("viewer"),
    "a contributor": await person("contributor"),
    contributor: await person("contributor"),
    "a contributor no more": await person("contributor"),
    "a co-owner": await person("co-owner"),
    "a co-owner before the second step": await person("co-owner", true),
    "a stranger before the second step": await person(undefined, true),
  };
}

async function itemsOf(server: TestServer, ada: Owner, contributor: string): Promise<Record<string, Item>> {
  const { db, url } = server;
  const store = async (token: string, kind: Item["kind"], name: string, bytes: Buffer): Promise<Item> => {
    const bucket = kind === "poster" ? "posters" : "media";
    const response = await fetch(`${url}/storage/v1/object/${bucket}/${name}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": kind === "video" ? "video/mp4" : "image/jpeg" },
      body: new Uint8Array(bytes),
    });
    if (!response.ok) throw new Error(`${name} was not stored: ${await response.text()}`);
    return { id: ((await response.json()) as { Id: string }).Id, kind, bucket, name, bytes };
  };
  const fresh = (ending: string) => `${ada.memoryId}/${randomUUID()}.${ending}`;
  const photo = await photoWithPlace();
  const picture = (token: string) => store(token, "picture", fresh("jpg"), photo);
  const video = await store(ada.token, "video", fresh("mp4"), tinyVideo());
  const items = {
    shown: await picture(ada.token),
    theirs: await picture(contributor),
    held: await picture(contributor),
    hidden: await picture(ada.token),
    video,
    poster: await store(ada.token, "poster", `${video.name}.jpg`, photo),
    deleted: await picture(contributor),
  };
  await server.client(contributor).storage.from("media").remove([items.deleted.name]);
  for (const state of ["held", "hidden"] as const) {
    await db.query("update media set moderation = $2 where id = $1", [items[state].id, state]);
  }
  const { rows } = await db.query<{ version: string }>("select version from storage.objects where id = $1", [video.id]);
  const version = rows[0]?.version ?? "";
  const part = await server.files.videos.partPath(version);
  await writeFile(part, "a copy that plays everywhere");
  await server.files.videos.keepPlayable(version, part);
  return items;
}

const photoWithPlace = () =>
  jpeg(48, 32, "teal", {
    IFD0: { ImageDescription: SECRETS[0] ?? "", Make: "Nonna's camera" },
    IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 2/1", GPSLongitudeRef: "W", GPSLongitude: "0/1 7/1 28/1" },
  });

/** Tokens of visitors by the state of their link, opened while the link worked. */
async function holdersOf(
  server: TestServer,
  ada: Owner,
  people: Record<string, string>,
): Promise<Record<string, string>> {
  const { db } = server;
  const album = await db.query<{ id: string }>(
    "insert into albums (name, user_id) values ('Family', $1) returning id",
    [ada.userId],
  );
  const albumId = album.rows[0]?.id;
  await db.query("update memories set album_id = $1 where id = $2", [albumId, ada.memoryId]);

  interface Made {
    id: string;
    share_id: string;
  }
  const link = async (more: { rights?: string; allows_download?: boolean; album_id?: string } = {}): Promise<Made> => {
    const { rows } = await db.query<Made>(
      `insert into share_links (memory_id, album_id, rights, allows_download) values ($1, $2, $3, $4) returning id, share_id`,
      [more.album_id ? null : ada.memoryId, more.album_id ?? null, more.rights ?? "view", more.allows_download ?? true],
    );
    return rows[0] ?? { id: "", share_id: "" };
  };
  const open = async ({ share_id: shareId }: Made, { as, pin }: { as?: string; pin?: string } = {}) => {
    const { status, body } = await post(
      server,
      "open-share",
      { shareId, pin },
      as ? { authorization: `Bearer ${as}` } : {},
    );
    if (status !== 200) throw new Error(`A link did not open: ${JSON.stringify(body)}`);
    return String(body.token);
  };
  /** A token of a link that is changed afterwards. */
  const changed = async (change: (made: Made) => Promise<unknown>) => {
    const made = await link();
    const token = await open(made);
    await change(made);
    return token;
  };
  const update = (what: string) => (made: Made) => db.query(`update share_links set ${what} where id = $1`, [made.id]);
  const withPin = await link();
  await setPin(server, { ...ada, linkId: withPin.id }, "0417");
  return {
    "by a link to view": await open(await link()),
    "by a link to comment": await open(await link({ rights: "comment" })),
    "by a link to contribute": await open(await link({ rights: "contribute" })),
    "by a link to upload": await open(await link({ rights: "upload" })),
    "by a link without downloads": await open(await link({ allows_download: false })),
    "by a link with its PIN": await open(withPin, { pin: "0417" }),
    "by an album's link": await open(await link({ album_id: albumId })),
    "by a link, signed in": await open(await link(), { as: people["a stranger"] }),
    "by a link without downloads, signed in": await open(await link({ allows_download: false }), {
      as: people["a stranger"],
    }),
    "by a link without downloads, a viewer": await open(await link({ allows_download: false }), {
      as: people["a viewer"],
    }),
    "by a link, before the second step": await open(await link(), { as: people["a stranger before the second step"] }),
    "by a link that ended": await changed(update("expires_at = now() - interval '1 second'")),
    "by a link that was revoked": await changed(update("revoked_at = now()")),
    "by a link that was made anew": await changed(update("share_id = private.new_share_id()")),
    "by a link whose PIN was set": await changed((made) => setPin(server, { ...ada, linkId: made.id }, "0417")),
    "by a link whose rights changed": await changed(update("rights = 'comment'")),
    "by a link that was deleted": await changed(({ id }) => db.query("delete from share_links where id = $1", [id])),
  };
}
