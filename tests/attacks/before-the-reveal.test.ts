import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, expect, test, vi } from "vitest";
import { announceReveals } from "../../server/jobs/reveals.ts";
import { emptyDatabase } from "../support/database.ts";
import { guestOf } from "../support/guests.ts";
import { type Person, signUp, signUpWithPlan } from "../support/people.ts";
import { photoWithMetadata } from "../support/photo-with-metadata.ts";
import { testServer } from "../support/server.ts";
import { newMemory, newRow, post } from "../support/sharing.ts";
import { openSocket } from "../support/socket.ts";
import { freshName, uploadResumably } from "../support/uploads.ts";
import { unzip } from "../support/zip.ts";

const webFolder = await mkdtemp(join(tmpdir(), "skies-web-"));
await writeFile(join(webFolder, "index.html"), "<!doctype html><html><head></head><body>The app</body></html>");
const server = await testServer({}, undefined, { webFolder });
const { db } = server;

let ada: Person;
let carla: Person;
let memoryId: string;
let shareId: string;
/** Two guests without an account; Oscar's contributions wait. */
let gina: Awaited<ReturnType<typeof guestOf>>;
let oscar: Awaited<ReturnType<typeof guestOf>>;

const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });

/** Adds one of everything. All texts contain `word`; resolves to the object's name. */
async function contribute({ client, token }: { client: SupabaseClient; token: string }, word: string): Promise<string> {
  const name = freshName(memoryId);
  const bytes = await photoWithMetadata();
  await uploadResumably({ url: server.url, token, name, bytes });
  await db.query("update media set state = 'ready', caption = $2 where object_name = $1", [name, word]);
  const row = { memory_id: memoryId };
  const comment = await newRow(client, "comments", { ...row, body: word });
  await client
    .from("stories")
    .insert({ ...row, title: word, body: `<p>${word}</p>` })
    .throwOnError();
  await client
    .from("reactions")
    .insert({ ...row, comment_id: comment.id, kind: "heart" })
    .throwOnError();
  return name;
}

/** The answers to everything that a guest's page, a curious guest and a messenger request, with their headers. */
async function answersTo(who: { client: SupabaseClient; token: string }, names: readonly string[]) {
  const texts: string[] = [];
  const get = async (path: string, init: RequestInit = {}) => {
    const headers = { apikey: server.keys.publishable, ...bearer(who), prefer: "count=exact", ...init.headers };
    const response = await fetch(server.url + path, { ...init, headers });
    const counted = ["content-range", "content-length", "etag", "x-total-count"].map((name) =>
      response.headers.get(name),
    );
    texts.push(`${path} ${response.status} ${counted.slice(0, 1)} ${await response.text()}`);
  };
  const { rows } = await db.query<{ name: string; columns: string }>(`
    select c.relname as name, string_agg(quote_ident(a.attname), ',') as columns from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and has_column_privilege('anon', c.oid, a.attnum, 'select')
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') group by 1 order by 1`);
  for (const { name, columns } of rows) {
    await get(`/rest/v1/${name}?select=${columns}`);
    await get(`/rest/v1/${name}?select=${columns.split(",")[0]}`, { method: "HEAD" });
  }
  const embedded =
    "id,media(id,caption,credit:media_credits(name),names:media_names(person_id),reactions(kind)),comments(id,body),stories(title),reactions(kind),memory_counts(photos,comments)";
  await get(`/rest/v1/memories?select=${embedded}`);
  await get("/rest/v1/media?select=id.count()");
  await get(`/rest/v1/media?caption=like.*&select=id`);
  for (const find of ["Zinnia", "*", "z"]) {
    await get("/rest/v1/rpc/search", {
      method: "POST",
      body: JSON.stringify({ find, memory: memoryId }),
      headers: { "content-type": "application/json" },
    });
  }
  await get("/storage/v1/object/list/media", {
    method: "POST",
    body: JSON.stringify({ prefix: memoryId }),
    headers: { "content-type": "application/json" },
  });
  for (const name of names) {
    await get(`/storage/v1/object/authenticated/media/${name}`);
    await get(`/storage/v1/object/info/media/${name}`);
    await get(`/storage/v1/render/image/authenticated/media/${name}?width=320`);
    await get(`/storage/v1/object/sign/media/${name}`, {
      method: "POST",
      body: JSON.stringify({ expiresIn: 60 }),
      headers: { "content-type": "application/json" },
    });
  }
  await get(`/shared/${shareId}`);
  const screen = await post(server, "open-share", {
    shareId,
    screen: true,
    guestKey: "key" in who ? who.key : undefined,
  });
  texts.push(JSON.stringify(screen.body.screen ?? null));
  const prepared = await post(server, "prepare-download", { memoryId }, bearer(who));
  if (typeof prepared.body.url === "string") {
    const zip = Buffer.from(await (await fetch(prepared.body.url)).arrayBuffer());
    texts.push(...(await unzip(zip)).map(({ path }) => path));
  }
  return (
    texts
      .join("\n")
      // What differs from one request to the next.
      .replaceAll(/"(?:token|signedURL|signedUrl|exp|last_seen|url)":"[^"]*"/g, '""')
      .replaceAll(/nonce[^ ]*|[?&]token=[^"&\\ ]*|v=[\w-]{16}/g, "")
  );
}

beforeAll(async () => {
  await emptyDatabase(db);
  [ada, carla] = await Promise.all([signUpWithPlan(server, "Ada"), signUp(server, "Carla")]);
  memoryId = (await newMemory(ada.client, { person_name: "The wedding", kind: "event" })).id;
  const link = { memory_id: memoryId, rights: "contribute", preview: "cover" };
  shareId = (await newRow(ada.client, "share_links", link, "id", "share_id")).share_id;
  await db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, 'contributor')", [
    memoryId,
    carla.id,
  ]);
  gina = await guestOf(server, shareId, { name: "Gina" });
  oscar = await guestOf(server, shareId, { name: "Oscar" });
  await contribute({ client: ada.client, token: ada.token }, "Hosts");
  await ada.client.from("reveals").insert({ memory_id: memoryId }).throwOnError();
});

test("before the reveal no answer, count, header or file tells of what another guest added", async () => {
  await contribute(gina, "Mine");
  const before = await answersTo(gina, []);
  expect(before).toContain("Mine");
  expect(before).toContain("Hosts");
  const preview = await (await fetch(`${server.url}/shared/${shareId}/preview.jpg`)).arrayBuffer();

  const name = await contribute(oscar, "Zinnia");
  const { rows } = await db.query<{ id: string }>("select id from media where object_name = $1", [name]);
  await ada.client.rpc("set_cover", { media_id: rows[0]?.id }).throwOnError();

  const after = await answersTo(gina, []);
  expect(after).toBe(before);
  // Not even by the names and ids.
  for (const who of [gina, { client: carla.client, token: carla.token }]) {
    const named = await answersTo(who, [name]);
    expect(named).not.toContain("Zinnia");
    expect(named).not.toContain(rows[0]?.id);
    expect(named).toContain("Mine".slice(0, who === gina ? 4 : 0));
  }
  // The cover is Oscar's, therefore the picture of the link is the memory's sky, as before.
  expect(Buffer.from(await (await fetch(`${server.url}/shared/${shareId}/preview.jpg`)).arrayBuffer())).toEqual(
    Buffer.from(preview),
  );
});

test("what was seen before is covered by a new reveal: signed URLs and archives end", async () => {
  await db.query("update reveals set revealed = true where memory_id = $1", [memoryId]);
  const { rows } = await db.query<{ object_name: string }>("select object_name from media where caption = 'Zinnia'");
  const signed = await gina.client.storage.from("media").createSignedUrl(rows[0]?.object_name ?? "", 600);
  const { body } = await post(server, "prepare-download", { memoryId }, bearer(gina));
  expect((await fetch(String(signed.data?.signedUrl))).status).toBe(200);
  await ada.client.from("reveals").update({ revealed: false }).eq("memory_id", memoryId).throwOnError();
  expect((await fetch(String(signed.data?.signedUrl))).status).toBeGreaterThanOrEqual(400);
  const archive = await fetch(String(body.url))
    .then(
      async (response) => response.ok && (await response.arrayBuffer()).byteLength,
      () => false,
    )
    .catch(() => false);
  expect(archive).toBe(false);
});

test("events tell guests of nothing that waits, and of the reveal when it comes", async () => {
  const listen = async (token: string) => {
    const socket = await openSocket(server, "2.0.0");
    await socket.join({ access_token: token, config: { postgres_changes: [{ event: "*", schema: "public" }] } });
    await socket.heard("system");
    return socket;
  };
  const sockets = await Promise.all([gina.token, carla.token].map(listen));
  await contribute(oscar, "Zinnia again");
  await db.query("update media set caption = 'Zinnia changed' where caption like 'Zinnia%'");
  await db.query("update media set moderation = 'hidden' where caption = 'Zinnia changed'");
  await db.query("update media set moderation = 'shown' where caption = 'Zinnia changed'");
  await db.query("delete from comments where body = 'Zinnia again'");
  const tablesUntil = async (socket: Awaited<ReturnType<typeof listen>>, last: string) => {
    const tables: string[] = [];
    do tables.push(((await socket.heard("postgres_changes")) as { data: { table: string } }).data.table);
    while (tables.at(-1) !== last);
    return tables;
  };
  // Something that everybody may see is sent after it.
  await ada.client.from("memories").update({ person_name: "Our wedding" }).eq("id", memoryId).throwOnError();
  for (const socket of sockets) expect(await tablesUntil(socket, "memories")).toEqual(["memories"]);
  await ada.client.from("reveals").update({ revealed: true }).eq("memory_id", memoryId).throwOnError();
  for (const socket of sockets) {
    expect(await tablesUntil(socket, "reveals")).toEqual(["reveals"]);
    socket.close();
  }
  expect((await gina.client.from("media").select("id").like("caption", "Zinnia%")).data).toHaveLength(2);
  // The members are notified once.
  const notices = async () =>
    (await carla.client.from("notices").select("kind").eq("memory_id", memoryId).eq("kind", "revealed")).data;
  expect(await notices()).toEqual([]);
  for (const seconds of [30, 60]) await announceReveals(db, new Date(Date.now() + seconds * 1000));
  await vi.waitFor(async () => expect(await notices()).toEqual([{ kind: "revealed" }]), { timeout: 180_000 });
});
