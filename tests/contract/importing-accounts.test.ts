import { randomBytes, randomUUID } from "node:crypto";
import { readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { configure, Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js";
import { expect, test } from "vitest";
import { openAccount } from "../../scripts/setup/open-account.mjs";
import { type ImportProgress, importAccount } from "../../server/downloads/import-account.ts";
import type { ExportedAccount } from "../../shared/account-export.ts";
import { freshFolder, hashOf } from "../support/backups.ts";
import { sized } from "../support/long-tests.ts";
import { type Person, signUp, signUpWithPlan } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { jpeg } from "../support/uploads.ts";

configure({ useWebWorkers: false });

const server = await testServer();
const at = "2020-05-04T12:00:00Z";
const author = { mine: false, name: "Bob" };
type Memory = ExportedAccount["memories"][number];

const memoryWith = (parts: Partial<Memory> = {}): Memory => ({
  ...{ id: randomUUID(), kind: "tribute", person_name: "Rosa", description: "", draft: false, created_at: at },
  ...{ birth_date: null, passing_date: null, event_date: null, album_id: null, album_position: 0 },
  ...{ cover_x: 0.5, cover_y: 0.5, media_order: "added" },
  ...{ media: [], stories: [], entries: [], comments: [], reactions: [], links: [], reminders: [] },
  ...parts,
});
const photoOf = (path: string, bytes: Buffer, size = bytes.length): Memory["media"][number] => ({
  ...{ id: randomUUID(), caption: "", alt_text: "", position: null, is_cover: false, moderation: "shown" },
  ...{ motion_of: null, created_at: at, taken_at: null, taken_source: null, file_taken_at: null },
  ...{ file_taken_source: null, author, poster: null },
  file: { path, metadata: { mimetype: "image/jpeg", size, sha256: hashOf(bytes) }, user_metadata: {} },
});
const accountWith = (...memories: Memory[]): ExportedAccount => ({
  ...{ format: "skies-account", version: 1, exported_at: at, albums: [], memories },
});

/** Writes a ZIP file with these contents, compressed. Resolves to its path. */
async function zipOf(account: ExportedAccount | string, files: Record<string, Uint8Array> = {}): Promise<string> {
  const text = typeof account === "string" ? account : JSON.stringify(account);
  const zip = new ZipWriter(new Uint8ArrayWriter());
  for (const [path, bytes] of Object.entries({ "account.json": Buffer.from(text), ...files })) {
    await zip.add(`skies-account/${path}`, new Uint8ArrayReader(new Uint8Array(bytes)));
  }
  const path = join(await freshFolder(), "account.zip");
  await writeFile(path, await zip.close());
  return path;
}

async function importZip(path: string, person: Person, options?: Parameters<typeof importAccount>[3]) {
  const opened = await openAccount(path);
  return importAccount(server, person.email, opened, options).finally(() => opened.close());
}

/** The number of bytes in the server's files, and of the rows that an import writes. */
async function stored() {
  const folder = join(server.dataDir, "storage");
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(
    names.map(async (name) => {
      const facts = await stat(join(folder, name)).catch(() => undefined);
      return facts?.isFile() ? facts.size : 0;
    }),
  );
  const { rows } = await server.db.query<{ rows: number }>(
    `select (select count(*) from memories) + (select count(*) from storage.objects) + (select count(*) from comments) as rows`,
  );
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), rows: rows[0]?.rows };
}

const picture = await jpeg();
const zeros = Buffer.alloc(64 * 1024 * 1024);
const bomb = Buffer.concat([picture, zeros]);

test("a small ZIP file with large contents is refused before anything is written", async () => {
  const before = await stored();
  const path = await zipOf(accountWith(memoryWith({ media: [photoOf("files/a.jpg", bomb)] })), { "files/a.jpg": bomb });
  expect((await stat(path)).size).toBeLessThan(1024 * 1024);
  await expect(importZip(path, await signUp(server, "Ada"))).rejects.toThrow("too large for a ZIP file of its size");
  expect(await stored()).toEqual(before);
});

test("a file that is larger than it declares is cut off and left out", async () => {
  const person = await signUpWithPlan(server, "Ada");
  const before = await stored();
  const bytes = Buffer.concat([picture, randomBytes(8 * 1024 * 1024)]);
  const memory = memoryWith({ media: [photoOf("files/a.jpg", bytes, picture.length)] });
  const path = await zipOf(accountWith(memory), { "files/a.jpg": bytes });
  expect(await importZip(path, person)).toEqual({ memories: 1, files: 0, leftOut: ["files/a.jpg"] });
  expect((await stored()).bytes).toBe(before.bytes);
});

test("a file that many items name is stored once", async () => {
  const person = await signUpWithPlan(server, "Ada");
  const media = Array.from({ length: 20 }, () => photoOf("files/a.jpg", picture));
  const path = await zipOf(accountWith(memoryWith({ media })), { "files/a.jpg": picture });
  expect(await importZip(path, person)).toMatchObject({ files: 1, leftOut: { length: 19 } });
});

test.each([
  ["brackets", "[".repeat(1000), "nested too deeply"],
  ["values", `[${"{},".repeat(5_000_001)}0]`, "too many values"],
  ["brackets in a text", JSON.stringify("[".repeat(1000)), "no account of Skies"],
])("JSON of many %s is refused while it is read", async (_what, text, message) => {
  // Random bytes, so that only the text itself is too much.
  const path = await zipOf(text, { "files/a": randomBytes(sized(4, 4) * 1024 * 1024) });
  await expect(importZip(path, await signUp(server, "Ada"))).rejects.toThrow(message);
});

test("a plan's memories and storage are checked before a file is read", async () => {
  const person = await signUp(server, "Ada");
  const before = await stored();
  const two = await zipOf(accountWith(memoryWith(), memoryWith()));
  await expect(importZip(two, person)).rejects.toThrow("no room for 2 more memories");
  const media = [photoOf("files/a.jpg", picture, 2 * 1024 ** 3)];
  const large = await zipOf(accountWith(memoryWith({ media })), { "files/a.jpg": picture });
  await expect(importZip(large, person)).rejects.toThrow("no room for 2147483648 more bytes");
  expect(await stored()).toEqual(before);
});

test("an import that the database refuses, or that is stopped, leaves no byte and no row", async () => {
  const person = await signUpWithPlan(server, "Ada");
  const before = await stored();
  const names = ["files/a.jpg", "files/b.jpg", "files/c.jpg"];
  const photos = names.map(() => Buffer.concat([picture, randomBytes(1000)]));
  const media = names.map((name, index) => photoOf(name, photos[index] ?? picture));
  const files = Object.fromEntries(names.map((name, index) => [name, photos[index] ?? picture]));
  const refused = await zipOf(accountWith(memoryWith({ media, kind: "unknown" })), files);
  await expect(importZip(refused, person)).rejects.toThrow("The account was not imported");
  expect(await stored()).toEqual(before);

  const whole = await zipOf(accountWith(memoryWith({ media })), files);
  const stopping = new AbortController();
  const seen: ImportProgress[] = [];
  const progress = (now: ImportProgress) => {
    seen.push({ ...now });
    if (now.files === 2) stopping.abort(new Error("Stopped"));
  };
  await expect(importZip(whole, person, { progress, signal: stopping.signal })).rejects.toThrow("Stopped");
  expect(await stored()).toEqual(before);
  expect(seen).toMatchObject([
    { files: 1, ofFiles: 3 },
    { files: 2, ofFiles: 3 },
  ]);
  expect(await importZip(whole, person)).toMatchObject({ files: 3, leftOut: [] });
});

test("sixty thousand comments take seconds", async () => {
  const person = await signUpWithPlan(server, "Ada");
  const first = randomUUID();
  const count = sized(6_000, 60_000);
  const comments = Array.from({ length: count }, (_, index) => ({
    ...{
      id: index === 0 ? first : randomUUID(),
      parent_id: index > 0 && index % 2 === 0 ? first : null,
      media_id: null,
    },
    ...{ body: `Comment ${index}`, moderation: index % 10 === 0 ? ("held" as const) : ("shown" as const) },
    ...{ created_at: at, edited_at: null, deleted_at: null, author },
  }));
  const path = await zipOf(accountWith(memoryWith({ comments })));
  const began = performance.now();
  await importZip(path, person);
  const seconds = (performance.now() - began) / 1000;
  console.info(`${count} comments in ${seconds.toFixed(1)} s`);
  expect(seconds).toBeLessThan(60);
  const { rows } = await server.db.query<{ comments: number; notices: number }>(
    `select (select count(*) from comments c join memories m on m.id = c.memory_id where m.user_id = $1) as comments,
       (select count(*) from notices where user_id = $1) as notices`,
    [person.id],
  );
  expect(rows).toEqual([{ comments: count, notices: 0 }]);
});
