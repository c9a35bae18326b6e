import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { buildFirstScreen } from "../../scripts/setup/prerender.mjs";
import { pictureName } from "../../web/data/picture-name.ts";
import { atEnd } from "../support/at-end.ts";
import { newKey, sign } from "../support/guests.ts";
import { type Person, signUp, signUpWithPlan } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { newMemory, newRow, post, shareFirstLink } from "../support/sharing.ts";
import { openSocket } from "../support/socket.ts";
import { jpeg } from "../support/uploads.ts";
import { unzip } from "../support/zip.ts";

const folder = await mkdtemp(join(tmpdir(), "skies-account-ids-"));
atEnd(() => rm(folder, { recursive: true, force: true }));
await buildFirstScreen(folder);
const webFolder = join(folder, "web");
await mkdir(webFolder);
await writeFile(join(webFolder, "index.html"), "<!doctype html><html><head></head><body>The app</body></html>");
const server = await testServer({}, undefined, { webFolder });
const { db } = server;

/** The tables and the columns that visitors without an account may select. */
interface Readable {
  name: string;
  columns: string[];
  withheld: string[];
}

let ada: Person;
let memoryId: string;
let photoName: string;
let ids: string[];
let tables: Readable[];
/** Share tokens by the kind of link; none names an account. */
const tokens: Record<string, string> = {};
/** The share ids of links without a secret. */
const shareIds: Record<string, string> = {};

beforeAll(async () => {
  const [owner, bob, carla, dan] = await Promise.all([
    signUpWithPlan(server, "Ada"),
    signUp(server, "Bob"),
    signUp(server, "Carla"),
    signUp(server, "Dan"),
  ]);
  ada = owner;
  const made = await newMemory(ada.client, { person_name: "Nonna" });
  memoryId = made.id;
  await shareFirstLink(ada.client, memoryId);
  shareIds.first = made.share_id;
  for (const [person, role] of [
    [bob, "co-owner"],
    [carla, "contributor"],
    [dan, "viewer"],
  ] as const) {
    const row = [memoryId, person.id, role];
    await db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, $3)", row);
  }
  for (const person of [ada, bob, carla]) await contribute(person, carla);
  await openLinks(bob);
  const { rows: accounts } = await db.query<{ id: string }>("select id from auth.users");
  ids = accounts.map(({ id }) => id);
  const { rows } = await db.query<Readable>(`
    select c.relname as name,
      coalesce(json_agg(a.attname) filter (where has_column_privilege('anon', c.oid, a.attnum, 'select')), '[]') as columns,
      coalesce(json_agg(a.attname) filter (where not has_column_privilege('anon', c.oid, a.attnum, 'select')), '[]') as withheld
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
      and has_any_column_privilege('anon', c.oid, 'select') group by c.oid order by 1`);
  tables = rows;
});

/** Adds a photo, a story, a comment that mentions somebody, an answer, reactions and a picture of the person. */
async function contribute({ id, client }: Person, mentioned: Person) {
  const name = `${memoryId}/${crypto.randomUUID()}.jpg`;
  const picture = await jpeg(48, 32);
  const stored = [
    await client.storage.from("media").upload(name, picture),
    await client.storage.from("avatars").upload(await pictureName(id), picture, { contentType: "image/jpeg" }),
  ];
  expect(stored.map(({ error }) => error)).toEqual([null, null]);
  photoName = name;
  await db.query("update media set state = 'ready'");
  await newRow(client, "stories", { memory_id: memoryId, body: "<p>Once.</p>" });
  const comment = await newRow(client, "comments", {
    memory_id: memoryId,
    body: "Ask Carla",
    mentions: [mentioned.id],
  });
  await newRow(client, "comments", { memory_id: memoryId, parent_id: comment.id, body: "I did" });
  for (const on of [{}, { comment_id: comment.id }]) {
    await client
      .from("reactions")
      .insert({ memory_id: memoryId, kind: "heart", ...on })
      .throwOnError();
  }
}

/** Opens a link of every kind without an account. */
async function openLinks(coOwner: Person) {
  const opened = async (kind: string, body: object) => {
    const answer = await post(server, "open-share", body);
    expect([kind, answer.status]).toEqual([kind, 200]);
    tokens[kind] = String(answer.body.token);
  };
  const album = await newRow(ada.client, "albums", { name: "Family" });
  await ada.client.rpc("put_in_album", { album_id: album.id, ids: [memoryId] }).throwOnError();
  for (const rights of ["view", "comment", "contribute", "upload"]) {
    const link = await newRow(coOwner.client, "share_links", { memory_id: memoryId, rights }, "share_id");
    shareIds[rights] = link.share_id;
    await opened(rights, { shareId: link.share_id });
  }
  const guestKey = newKey();
  const signed = await sign(server, tokens.contribute, { guestKey });
  tokens["a guest"] = String(signed.body.token);
  const guest = server.client(tokens["a guest"]);
  for (const [table, row] of [
    ["comments", { body: "From afar" }],
    ["stories", { body: "<p>From afar</p>" }],
  ] as const) {
    await guest
      .from(table)
      .insert({ memory_id: memoryId, ...row })
      .throwOnError();
  }
  const withPin = await newRow(ada.client, "share_links", { memory_id: memoryId }, "id", "share_id");
  const asAda = { authorization: `Bearer ${ada.token}` };
  await post(server, "share-pin", { linkId: withPin.id, pin: "0417" }, asAda);
  await opened("a PIN", { shareId: withPin.share_id, pin: "0417" });
  const ofAlbum = await newRow(ada.client, "share_links", { album_id: album.id }, "share_id");
  shareIds.album = ofAlbum.share_id;
  await opened("an album", { shareId: ofAlbum.share_id });
  for (const role of ["viewer", "contributor", "co-owner"]) {
    const invitation = await newRow(ada.client, "invitations", {
      memory_id: memoryId,
      email: `${role}@example.com`,
      role,
    });
    const letter = await ada.client
      .rpc("invitation_email", { invitation_id: invitation.id })
      .single<{ share_id: string; token: string }>()
      .throwOnError();
    await opened(`a letter to a ${role}`, { shareId: letter.data.share_id, invitation: letter.data.token });
  }
  const { rows } = await db.query<{ code: string }>(
    `insert into metal_cards (user_id, memory_id, link_id, making) select $1, l.memory_id, l.id, 'sent'
     from share_links l where l.memory_id = $2 and l.is_first returning code`,
    [ada.id, memoryId],
  );
  const card = await post(server, "open-card", { code: rows[0]?.code });
  expect(card.status).toBe(200);
  await opened("a card", { shareId: card.body.shareId });
}

/** Fails if a text contains an account's id in any notation. */
function expectNoId(what: string, text: string) {
  const plain = text.toLowerCase().replaceAll("-", "");
  expect([what, ids.filter((id) => plain.includes(id.replaceAll("-", "")))]).toEqual([what, []]);
}

const eachLink = async (check: (kind: string, token: string) => Promise<void>) => {
  expect(Object.keys(tokens)).toHaveLength(11);
  for (const [kind, token] of Object.entries(tokens)) await check(kind, token);
};

test("is in no token, and in no column that a link's visitor may select", async () => {
  let rowCount = 0;
  await eachLink(async (kind, token) => {
    expectNoId(kind, Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    const client = server.client(token);
    for (const { name, columns } of tables) {
      const { data, error } = await client.from(name).select(columns.join());
      expect([kind, name, error]).toEqual([kind, name, null]);
      rowCount += data?.length ?? 0;
      expectNoId(`${kind}: ${name}`, JSON.stringify(data));
    }
    const embeds = await client
      .from("memories")
      .select("id,media(*,media_details(*)),comments(id,body),stories(id),reactions(id),albums(id,name)");
    expect(embeds.error).toBeNull();
    expectNoId(kind, JSON.stringify(embeds.data));
  });
  expect(rowCount).toBeGreaterThan(200);
});

test("cannot be selected, compared, sorted or returned from a change either", async () => {
  const withheld = tables.flatMap(({ name, withheld }) => withheld.map((column) => [name, column] as const));
  expect(withheld.map((names) => names.join("."))).toEqual(
    expect.arrayContaining(["memories.user_id", "albums.user_id", "comments.user_id", "comments.mentions"]),
  );
  await eachLink(async (kind, token) => {
    const client = server.client(token);
    for (const [table, column] of withheld) {
      const refusals = await Promise.all([
        client.from(table).select(column),
        client.from(table).select(`other:${column}`),
        client.from(table).select("id").not(column, "is", null),
        client.from(table).select("id").order(column),
        client
          .from("media")
          .select(`id,memories!inner(${table === "memories" ? column : `${table}!inner(${column})`})`),
      ]);
      for (const { data, error } of refusals)
        expect([kind, table, column, data, !!error]).toEqual([kind, table, column, null, true]);
    }
  });
  const guest = server.client(tokens["a guest"]);
  const row = { memory_id: memoryId, body: "Again" };
  for (const columns of ["user_id", "id,mentions"]) {
    expect((await guest.from("comments").insert(row).select(columns)).error?.code).toBe("42501");
  }
  const { data } = await guest.from("comments").insert(row).select("*").throwOnError();
  expectNoId("a row of a guest", JSON.stringify(data));
});

test("is in no answer of a function of the database", async () => {
  const { rows: functions } = await db.query<{ name: string; args: Record<string, string> | null }>(`
    select p.proname as name, (select json_object_agg(p.proargnames[i], format_type(p.proargtypes[i - 1], null))
      from generate_series(1, p.pronargs) i) as args
    from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
      and has_function_privilege('anon', p.oid, 'execute')
      and not exists (select from unnest(p.proargtypes) t join pg_class c on c.reltype = t)`);
  const values: Record<string, unknown> = {
    uuid: memoryId,
    "uuid[]": [memoryId],
    text: "x",
    "text[]": ["2020"],
    jsonb: [],
  };
  expect(functions.map(({ name }) => name)).toEqual(expect.arrayContaining(["memory_people", "memory_rights"]));
  await eachLink(async (kind, token) => {
    for (const { name, args } of functions) {
      const sample = Object.fromEntries(Object.entries(args ?? {}).map(([key, type]) => [key, values[type]]));
      const { data, error } = await server.client(token).rpc(name, sample);
      expectNoId(`${kind}: ${name}`, JSON.stringify([data, error]));
    }
    const computed = ["user_id", "guest_id", "file_name", "content_hash", "taken_source"];
    const { data } = await server.client(token).from("media").select(computed.join());
    expectNoId(`${kind}: computed columns`, JSON.stringify(data));
  });
});

test("is in no opened link's screen, page, list of files, signed address or archive", async () => {
  for (const [kind, shareId] of Object.entries(shareIds)) {
    const { body } = await post(server, "open-share", { shareId, screen: true, language: "en" });
    expectNoId(`${kind}: screen`, JSON.stringify(body));
    if (kind === "first") expect(JSON.stringify(body.screen)).toContain("Once.");
    const page = await fetch(`${server.url}/shared/${shareId}`);
    expect(page.status).toBe(200);
    expectNoId(`${kind}: page`, (await page.text()) + JSON.stringify([...page.headers]));
  }
  let archives = 0;
  await eachLink(async (kind, token) => {
    const { storage } = server.client(token);
    for (const bucket of ["media", "posters", "avatars", "covers"]) {
      for (const folder of ["", memoryId]) {
        const { data } = await storage.from(bucket).list(folder);
        expectNoId(`${kind}: ${bucket}`, JSON.stringify(data));
      }
    }
    const media = storage.from("media");
    expectNoId(kind, JSON.stringify([await media.info(photoName), await media.createSignedUrl(photoName, 60)]));
    const download = await post(server, "prepare-download", { memoryId }, { authorization: `Bearer ${token}` });
    expectNoId(`${kind}: download`, JSON.stringify(download.body));
    if (!download.body.url) return;
    archives += 1;
    const zip = Buffer.from(await (await fetch(String(download.body.url))).arrayBuffer());
    for (const { path, bytes } of await unzip(zip)) expectNoId(`${kind}: ${path}`, path + bytes.toString("latin1"));
  });
  expect(archives).toBeGreaterThan(5);
  const { data } = await server.client(tokens.view).from("comment_credits").select("picture").limit(1);
  const pictures = server.client(tokens.view).storage.from("avatars");
  expect((await pictures.download(String(data?.[0]?.picture))).error).toBeNull();
});

test("is in no event", async () => {
  const sockets = await Promise.all(
    Object.entries(tokens).map(async ([kind, token]) => {
      const socket = await openSocket(server, "2.0.0");
      const everything = { event: "*", schema: "public" };
      await socket.join({ access_token: token, config: { postgres_changes: [everything] } });
      await socket.heard("system");
      return { kind, socket };
    }),
  );
  const comment = await newRow(ada.client, "comments", { memory_id: memoryId, body: "New", mentions: [ids[1]] });
  await newRow(ada.client, "stories", { memory_id: memoryId, body: "<p>New.</p>" });
  await ada.client
    .from("reactions")
    .insert({ memory_id: memoryId, comment_id: comment.id, kind: "hug" })
    .throwOnError();
  await ada.client.from("comments").delete().eq("id", comment.id);
  await ada.client.from("comments").update({ moderation: "hidden" }).eq("id", comment.id).throwOnError();
  await ada.client.from("albums").update({ name: "Relatives" }).neq("name", "").throwOnError();
  // The last change is visible to all but the link that may only upload.
  await ada.client.from("memories").update({ person_name: "Granny" }).eq("id", memoryId).throwOnError();
  for (const { kind, socket } of sockets) {
    const events: { data: { table: string } }[] = [];
    while (kind !== "upload" && events.at(-1)?.data.table !== "memories") {
      events.push((await socket.heard("postgres_changes")) as { data: { table: string } });
    }
    if (kind !== "upload") expect(events.length).toBeGreaterThan(3);
    expectNoId(`${kind}: events`, JSON.stringify(events));
    socket.close();
  }
});
