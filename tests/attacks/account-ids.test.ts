import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildFirstScreen } from "../../scripts/setup/prerender.mjs";
import { atEnd } from "../support/at-end.ts";
import { type LinksOfEveryKind, openLinksOfEveryKind } from "../support/links-of-every-kind.ts";
import { LONG, sampled } from "../support/long-tests.ts";
import { testServer } from "../support/server.ts";
import { newRow, post } from "../support/sharing.ts";
import { openSocket } from "../support/socket.ts";
import { unzip } from "../support/zip.ts";

const folder = await mkdtemp(join(tmpdir(), "skies-account-ids-"));
atEnd(() => rm(folder, { recursive: true, force: true }));
await buildFirstScreen(folder);
const webFolder = join(folder, "web");
await mkdir(webFolder);
await writeFile(join(webFolder, "index.html"), "<!doctype html><html><head></head><body>The app</body></html>");
const server = await testServer({}, undefined, { webFolder });
const { db } = server;

/** A table, and its columns that these roles may select, and others. */
interface Readable {
  name: string;
  columns: string[];
  withheld: string[];
}

let world: LinksOfEveryKind;
let ids: string[];

beforeAll(async () => {
  world = await openLinksOfEveryKind(server);
  const { rows: accounts } = await db.query<{ id: string }>("select id from auth.users");
  ids = accounts.map(({ id }) => id);
});

/** The tables of which each of these roles may select a column. */
async function tablesOf(roles: string[]): Promise<Readable[]> {
  const { rows } = await db.query<Readable>(
    `select name, coalesce(json_agg(column_name) filter (where is_readable), '[]') as columns,
       coalesce(json_agg(column_name) filter (where not is_readable), '[]') as withheld
     from (
       select c.oid, c.relname as name, a.attname as column_name,
         (select bool_and(has_column_privilege(role, c.oid, a.attnum, 'select')) from unnest($1::text[]) role) as is_readable
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
         and (select bool_and(has_any_column_privilege(role, c.oid, 'select')) from unnest($1::text[]) role)
     ) columns group by oid, name order by 1`,
    [roles],
  );
  return rows;
}

/** Fails if a text contains, in any notation, the id of another account than the reader's. */
function expectNoId(what: string, text: string, signedIn = false) {
  const plain = text.toLowerCase().replaceAll("-", "");
  const visibleIds = ids.filter((id) => plain.includes(id.replaceAll("-", "")) && !(signedIn && id === world.eve.id));
  expect([what, visibleIds]).toEqual([what, []]);
}

const linksOf = (signedIn: boolean) => {
  const list = world.links.filter((link) => link.signedIn === signedIn);
  expect(list).toHaveLength(signedIn ? 10 : 12);
  return sampled(list, 4);
};

/** Kinds of links whose holders cannot read the memory's row. */
const NARROW = ["upload", "a wall"];

describe.each([
  ["without an account", false],
  ["with an account", true],
] as const)("an id of another account, for a person who opened a link %s,", (_how, signedIn) => {
  const role = signedIn ? "authenticated" : "anon";

  test("is in no token, and in no column that may be selected", async () => {
    const tables = await tablesOf(["anon", role]);
    let rowCount = 0;
    for (const { kind, token } of linksOf(signedIn)) {
      expectNoId(kind, Buffer.from(token.split(".")[1] ?? "", "base64url").toString(), signedIn);
      const client = server.client(token);
      for (const { name, columns } of tables) {
        for (const select of [columns.join(), "*"]) {
          const { data, error } = await client.from(name).select(select);
          expect([kind, name, error]).toEqual([kind, name, null]);
          rowCount += data?.length ?? 0;
          expectNoId(`${kind}: ${name}`, JSON.stringify(data), signedIn);
        }
      }
      const embeds = await client
        .from("memories")
        .select("id,media(*,media_details(*)),comments(*),stories(*),reactions(*),albums(*)");
      expect(embeds.error).toBeNull();
      expectNoId(kind, JSON.stringify(embeds.data), signedIn);
    }
    expect(rowCount).toBeGreaterThan(LONG ? 400 : 100);
  });

  test("cannot be selected, compared, sorted or returned from a change either", async () => {
    const tables = await tablesOf(["anon", role]);
    const withheld = tables.flatMap(({ name, withheld }) => withheld.map((column) => [name, column] as const));
    expect(withheld.map((names) => names.join("."))).toEqual(
      expect.arrayContaining(["memories.user_id", "albums.user_id", "comments.user_id", "comments.mentions"]),
    );
    for (const { kind, token } of linksOf(signedIn)) {
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
        for (const { error } of refusals.slice(0, 4))
          expect(error).toMatchObject({ code: "42501", message: `permission denied for table ${table}` });
      }
    }
    const row = { memory_id: world.memoryId, body: "Again" };
    const comments = server.client(world.tokenOf(signedIn ? "contribute" : "a guest", signedIn)).from("comments");
    for (const columns of ["user_id", "id,mentions"]) {
      expect((await comments.insert(row).select(columns)).error?.code).toBe("42501");
      expect((await comments.update({ body: "X" }).eq("body", "Again").select(columns)).error?.code).toBe("42501");
      expect((await comments.delete().eq("body", "Again").select(columns)).error?.code).toBe("42501");
    }
    expect((await comments.update({ body: "X" }).eq("user_id", world.ada.id)).error?.code).toBe("42501");
    expect((await comments.upsert(row, { onConflict: "user_id" })).error?.code).toBe("42501");
    const { data } = await comments.insert(row).select("*").throwOnError();
    expectNoId("a row of their own", JSON.stringify(data), signedIn);
  });

  test("is in no answer of a function of the database", async () => {
    const { rows: functions } = await db.query<{ name: string; args: Record<string, string> | null }>(
      `select p.proname as name, (select json_object_agg(p.proargnames[i], format_type(p.proargtypes[i - 1], null))
         from generate_series(1, p.pronargs) i) as args
       from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
         and has_function_privilege($1, p.oid, 'execute')
         -- It makes its caller a member, who may read ids.
         and p.proname <> 'accept_emailed_invitation'
         and not exists (select from unnest(p.proargtypes) t join pg_class c on c.reltype = t)`,
      [role],
    );
    const values: Record<string, unknown> = {
      uuid: world.memoryId,
      "uuid[]": [world.memoryId],
      text: "x",
      "text[]": ["2020"],
      jsonb: [],
      boolean: false,
      integer: 1,
      numeric: 1,
      "timestamp with time zone": "2026-01-01",
    };
    expect(functions.map(({ name }) => name)).toEqual(expect.arrayContaining(["memory_people", "memory_rights"]));
    for (const { kind, token } of linksOf(signedIn)) {
      for (const { name, args } of functions) {
        const sample = Object.fromEntries(Object.entries(args ?? {}).map(([key, type]) => [key, values[type]]));
        const { data, error } = await server.client(token).rpc(name, sample);
        expectNoId(`${kind}: ${name}`, JSON.stringify([data, error]), signedIn);
      }
      const computed = ["user_id", "guest_id", "file_name", "content_hash", "taken_source"];
      const { data } = await server.client(token).from("media").select(computed.join());
      expectNoId(`${kind}: computed columns`, JSON.stringify(data), signedIn);
    }
  });

  test("is in no opened link's screen, page, list of files, signed address or archive", async () => {
    const by: Record<string, string> = signedIn ? { authorization: `Bearer ${world.eve.token}` } : {};
    for (const [kind, shareId] of Object.entries(world.shareIds)) {
      const { body } = await post(server, "open-share", { shareId, screen: true, language: "en" }, by);
      expectNoId(`${kind}: screen`, JSON.stringify(body), signedIn);
      if (kind === "first") expect(JSON.stringify(body.screen)).toContain("Once.");
      const page = await fetch(`${server.url}/shared/${shareId}`);
      expect(page.status).toBe(200);
      expectNoId(`${kind}: page`, (await page.text()) + JSON.stringify([...page.headers]));
    }
    let archives = 0;
    for (const { kind, token } of linksOf(signedIn)) {
      const { storage } = server.client(token);
      for (const bucket of ["media", "posters", "avatars", "covers"]) {
        for (const folder of ["", world.memoryId]) {
          const { data } = await storage.from(bucket).list(folder);
          expectNoId(`${kind}: ${bucket}`, JSON.stringify(data), signedIn);
        }
      }
      const media = storage.from("media");
      expectNoId(
        kind,
        JSON.stringify([await media.info(world.photoName), await media.createSignedUrl(world.photoName, 60)]),
        signedIn,
      );
      const download = await post(
        server,
        "prepare-download",
        { memoryId: world.memoryId },
        { authorization: `Bearer ${token}` },
      );
      expectNoId(`${kind}: download`, JSON.stringify(download.body), signedIn);
      if (!download.body.url) continue;
      archives += 1;
      const zip = Buffer.from(await (await fetch(String(download.body.url))).arrayBuffer());
      for (const { path, bytes } of await unzip(zip))
        expectNoId(`${kind}: ${path}`, path + bytes.toString("latin1"), signedIn);
    }
    expect(archives).toBeGreaterThan(LONG ? 5 : 1);
    const { data } = await server
      .client(world.tokenOf("view", signedIn))
      .from("comment_credits")
      .select("picture")
      .limit(1);
    const pictures = server.client(world.tokenOf("view", signedIn)).storage.from("avatars");
    expect((await pictures.download(String(data?.[0]?.picture))).error).toBeNull();
  });

  test("is in no event, and in no filter of events", async () => {
    const sockets = await Promise.all(
      linksOf(signedIn).map(async ({ kind, token }) => {
        const socket = await openSocket(server, "2.0.0");
        const everything = { event: "*", schema: "public" };
        await socket.join({ access_token: token, config: { postgres_changes: [everything] } });
        await socket.heard("system");
        const filter = `user_id=eq.${world.ada.id}`;
        const byAuthor = { event: "*", schema: "public", table: "comments", filter };
        const refused = await socket.join(
          { access_token: token, config: { postgres_changes: [byAuthor] } },
          "realtime:2",
        );
        expect([kind, refused]).toEqual([kind, expect.objectContaining({ status: "error" })]);
        expect(JSON.stringify(refused)).toContain("There is no column");
        return { kind, socket };
      }),
    );
    const comment = await newRow(world.ada.client, "comments", {
      memory_id: world.memoryId,
      body: "New",
      mentions: [ids[1]],
    });
    await newRow(world.ada.client, "stories", { memory_id: world.memoryId, body: "<p>New.</p>" });
    await world.ada.client
      .from("reactions")
      .insert({ memory_id: world.memoryId, comment_id: comment.id, kind: "hug" })
      .throwOnError();
    await world.ada.client.from("comments").delete().eq("id", comment.id);
    await world.ada.client.from("comments").update({ moderation: "hidden" }).eq("id", comment.id).throwOnError();
    await world.ada.client
      .from("albums")
      .update({ name: `Relatives ${signedIn}` })
      .neq("name", "")
      .throwOnError();
    // The last change is visible to all who may read the memory's row.
    await world.ada.client
      .from("memories")
      .update({ person_name: `Granny ${signedIn}` })
      .eq("id", world.memoryId)
      .throwOnError();
    for (const { kind, socket } of sockets) {
      const events: { data: { table: string } }[] = [];
      while (!NARROW.includes(kind) && events.at(-1)?.data.table !== "memories") {
        events.push((await socket.heard("postgres_changes")) as { data: { table: string } });
      }
      if (!NARROW.includes(kind)) expect(events.length).toBeGreaterThan(3);
      expectNoId(`${kind}: events`, JSON.stringify(events), signedIn);
      socket.close();
    }
  });
});

test("a signed-in visitor recognises their own contributions, and no others", async () => {
  const client = server.client(world.tokenOf("contribute", true));
  for (const table of ["comments", "stories"]) {
    const { data } = await client.from(table).select("id,own_id").throwOnError();
    expect(new Set(data.map(({ own_id }) => own_id))).toEqual(new Set([world.eve.id, null]));
    const own = await client.from(table).select("id").eq("own_id", world.eve.id).throwOnError();
    expect(own.data).toEqual(data.filter(({ own_id }) => own_id === world.eve.id).map(({ id }) => ({ id })));
    expect((await client.from(table).select("id").eq("own_id", world.ada.id).throwOnError()).data).toEqual([]);
  }
});

test("tables that need an account are not read by a link", async () => {
  const open = (await tablesOf(["anon"])).map(({ name }) => name);
  const others = (await tablesOf(["authenticated"])).map(({ name }) => name).filter((name) => !open.includes(name));
  expect(others).toEqual(expect.arrayContaining(["memory_members", "notices", "share_links"]));
  for (const name of others) {
    const answers = await Promise.all(
      [world.tokenOf("contribute", true), world.tokenOf("contribute")].map((token) =>
        server.client(token).from(name).select(),
      ),
    );
    const { code, message } = answers[1]?.error ?? {};
    expect(answers.map(({ error }) => error)).toEqual([
      expect.objectContaining({ code, message }),
      expect.objectContaining({ code: "42501" }),
    ]);
  }
});

test("a person who accepts a letter reads ids as a member, but not by the link", async () => {
  const token = world.tokenOf("a letter to a viewer", true);
  await server.client(token).rpc("accept_emailed_invitation").throwOnError();
  const byLink = await server.client(token).from("comments").select("user_id");
  expect(byLink.error?.code).toBe("42501");
  const asMember = await world.eve.client
    .from("comments")
    .select("user_id")
    .eq("memory_id", world.memoryId)
    .throwOnError();
  expect(asMember.data.map(({ user_id }) => user_id)).toContain(world.ada.id);
});
