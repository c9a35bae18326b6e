import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { appendFile, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { makeBackup } from "../../server/backup/backup.ts";
import {
  findBackups,
  manifestName,
  objectsName,
  objectsOf,
  readManifest,
  rowsName,
} from "../../server/backup/manifest.ts";
import { contentOf, folderPlace } from "../../server/backup/place.ts";
import { putObject } from "../../server/backup/restore.ts";
import { openVault } from "../../server/backup/vault.ts";
import { verifyBackup } from "../../server/backup/verify.ts";
import { startEmbeddedPostgres } from "../../server/database/embedded/embedded.ts";
import { openPostgres } from "../../server/database/postgres.ts";
import { openFiles } from "../../server/files/files.ts";
import { removeDiscarded } from "../../server/supabase/storage/remove-bytes.ts";
import { atEnd } from "../support/at-end.ts";
import { emptyInstallation, freshFolder, hashOf, PASSPHRASE, photo, sourceOf, workFactor } from "../support/backups.ts";
import { type Contents, fillEveryTable, readContents } from "../support/baseline.ts";
import { testDatabase } from "../support/database.ts";
import { DAY_MS } from "../support/jobs.ts";
import { killableServer } from "../support/killable-server.ts";
import { LONG } from "../support/long-tests.ts";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";
import { freshName } from "../support/uploads.ts";

const root = new URL("../..", import.meta.url).pathname;
const MOST_BYTES = 1024 * 1024;

test("a backup under load is restored row for row and byte for byte, and sessions stay valid", async () => {
  const server = await testServer({}, undefined, { jobs: true });
  const ada = await signUp(server, "Ada");
  const memoryId = randomUUID();
  await ada.client.from("memories").insert({ id: memoryId, person_name: "Nonna Rosa" }).throwOnError();
  const bytesOf = new Map<string, Buffer>();
  const upload = async () => {
    const [name, bytes] = [freshName(memoryId), await photo()];
    const { error } = await ada.client.storage.from("media").upload(name, bytes);
    if (error) throw error;
    bytesOf.set(name, bytes);
  };
  for (let count = 0; count < 8; count += 1) await upload();

  // Uploads, inserts and updates run all the time.
  let over = false;
  const keepDoing = async (work: () => Promise<unknown>) => {
    while (!over) {
      await work();
      // A pause as people make it, which leaves the processor to the backup and to other tests.
      await delay(150);
    }
  };
  const load = Promise.all([
    keepDoing(upload),
    keepDoing(async () =>
      ada.client
        .from("albums")
        .insert({ name: `Album ${randomUUID()}` })
        .throwOnError(),
    ),
    keepDoing(async () =>
      ada.client
        .from("memories")
        .update({ person_name: `Rosa ${randomUUID()}` })
        .eq("id", memoryId)
        .throwOnError(),
    ),
  ]);
  const backups = await freshFolder();
  const vault = await openVault(folderPlace(backups), { passphrase: PASSPHRASE, create: true, workFactor });
  const source = await sourceOf(server);
  let atSnapshot: Contents = {};
  const [doomed = ""] = bytesOf.keys();
  const { data: doomedRow } = await server
    .service()
    .from("media")
    .select("id")
    .eq("object_name", doomed)
    .single()
    .throwOnError();
  const first = await makeBackup(source, vault, {
    async onSnapshot(connection) {
      const [snapshot] = await connection.query<{ id: string }>("select pg_export_snapshot() as id");
      await server.db.transaction(async (tx) => {
        await tx.exec("set transaction isolation level repeatable read");
        await tx.exec(`set transaction snapshot '${snapshot?.id}'`);
        atSnapshot = await readContents(tx);
      });
      // Permanently deleted after the snapshot: its bytes must remain until the backup ends.
      await server.db.query("delete from storage.objects where name = $1", [doomed]);
      await removeDiscarded(server, Date.now() + DAY_MS);
    },
  });
  expect(doomedRow).toBeTruthy();
  expect(first.unreadable).toEqual([]);
  expect(first.copied).toBe(first.objects);
  over = true;
  await load;
  await removeDiscarded(server, Date.now() + DAY_MS);
  const doomedVersion = atSnapshot["storage.objects"]?.find(({ name }) => name === doomed)?.version as string;
  expect(await server.files.objects.has({ bucket: "media", version: doomedVersion })).toBe(false);
  expect((await verifyBackup(vault, first.id)).wrong).toEqual([]);

  // Nothing in the folder can be read without the passphrase.
  const stored = await Promise.all(
    (await readdir(backups, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => readFile(join(entry.parentPath, entry.name))),
  );
  expect(stored.filter((bytes) => bytes.includes("Rosa") || bytes.includes(ada.email))).toEqual([]);
  await expect(openVault(folderPlace(backups), { passphrase: "another one" })).rejects.toThrow("does not open");
  await expect(openVault(folderPlace(backups), {})).rejects.toThrow("are encrypted");

  const installation = await emptyInstallation();
  expect(await installation.restore(vault)).toEqual([]);
  const db = await installation.open();
  expect(await readContents(db)).toEqual(atSnapshot);
  for (const { name, version } of atSnapshot["storage.objects"] ?? []) {
    const bytes = await contentOf(
      await installation.files.objects.read({ bucket: "media", version: version as string }),
      MOST_BYTES,
    );
    expect(hashOf(bytes)).toBe(hashOf(bytesOf.get(name as string) as Buffer));
  }

  // The earlier session is valid, the password works, and the photos are there.
  const restored = await testServer({}, { db, dataDir: installation.dataDir });
  const session = (await ada.client.auth.getSession()).data.session;
  const again = restored.client();
  const refreshed = await again.auth.refreshSession({ refresh_token: session?.refresh_token ?? "" });
  expect(refreshed.error).toBeNull();
  const { error } = await restored.client().auth.signInWithPassword({ email: ada.email, password: ada.password });
  expect(error).toBeNull();
  const [, second = ""] = bytesOf.keys();
  const { data: file, error: refused } = await again.storage.from("media").download(second);
  if (refused) throw refused;
  expect(Buffer.from(await file.arrayBuffer()).equals(bytesOf.get(second) as Buffer)).toBe(true);

  // Restoring into an installation in use fails.
  await expect(installation.restore(vault)).rejects.toThrow("Another program uses the database");
  await restored.close();
  await db.close();
  await expect(installation.restore(vault)).rejects.toThrow("not empty");

  // The next backup copies only new objects.
  const hashes = new Set<string>();
  for await (const { sha256 } of objectsOf(vault, await readManifest(vault, first.id))) hashes.add(sha256);
  const now = () => new Date(Date.now() + 86_400_000);
  const next = await makeBackup(source, vault, { now });
  expect(next.copied).toBe([...bytesOf.values()].filter((bytes) => !hashes.has(hashOf(bytes))).length);
});

test("every table and sequence is in a backup; damage is reported, never restored, and repaired by the next backup", async () => {
  const db = await testDatabase();
  await fillEveryTable(db);
  const dataDir = await freshFolder();
  const files = await openFiles(join(dataDir, "storage"));
  // Two of the objects have bytes; the others are only rows.
  const { rows } = await db.query<{ id: string; version: string; bucket: string }>(
    "select id, version, bucket_id as bucket from storage.objects order by version",
  );
  for (const { id, bucket, version } of rows.slice(0, 2)) {
    const bytes = await photo();
    await writeFile(join(files.parts, version), bytes);
    await files.objects.put({ bucket, version }, join(files.parts, version));
    const facts = JSON.stringify({ sha256: hashOf(bytes), size: bytes.length });
    await db.query("update storage.objects set metadata = $2 where id = $1", [id, facts]);
  }
  const before = await readContents(db);
  const folder = await freshFolder();
  const vault = await openVault(folderPlace(folder), { create: true });
  const source = await sourceOf({ db, files, dataDir });
  let day = 0;
  const now = () => new Date(Date.UTC(2030, 0, 1 + day));
  const { id, unreadable } = await makeBackup(source, vault, { now });
  expect(unreadable).toHaveLength(rows.length - 2);
  const verified = await verifyBackup(vault, id);
  expect(verified.wrong).toEqual([]);
  expect(verified.warnings).toHaveLength(rows.length - 2);
  expect(verified.rows).toBe(Object.values(before).reduce((sum, table) => sum + table.length, 0));

  // Restoring fails without the server's key, which an unencrypted backup does not contain.
  const installation = await emptyInstallation();
  await expect(installation.restore(vault)).rejects.toThrow("does not contain the server's key");
  await writeFile(join(installation.dataDir, "secret.key"), await readFile(join(dataDir, "secret.key")));
  await installation.restore(vault);
  const restored = await installation.open();
  // Its backups may be in another place.
  expect(await readContents(restored)).toEqual({ ...before, "private.backup_places": [] });
  await restored.close();

  const [damaged = "", missing = ""] = await Promise.all(
    rows
      .slice(0, 2)
      .map(async ({ bucket, version }) =>
        vault.objectName(hashOf(await contentOf(await files.objects.read({ bucket, version }), MOST_BYTES))),
      ),
  );
  const original = await readFile(join(folder, damaged));
  await writeFile(
    join(folder, damaged),
    Buffer.concat([original.subarray(0, -1), Buffer.from([(original.at(-1) ?? 0) ^ 1])]),
  );
  await rm(join(folder, missing));
  await truncate(join(folder, rowsName(id, { name: "public.comments", columns: [] })), 10);
  expect((await verifyBackup(vault, id)).wrong).toEqual([
    "The rows of the table public.comments are missing or damaged.",
    `The bytes of the object ${rows[0]?.bucket}/${rows[0]?.version} are damaged (${damaged}).`,
    `The bytes of the object ${rows[1]?.bucket}/${rows[1]?.version} are missing (${missing}).`,
  ]);
  const another = await emptyInstallation();
  await writeFile(join(another.dataDir, "secret.key"), await readFile(join(dataDir, "secret.key")));
  await expect(another.restore(vault)).rejects.toThrow("Nothing is restored yet");

  day = 20;
  const mended = await makeBackup(source, vault, { now, check: true });
  expect(mended.copied).toBe(2);
  expect((await verifyBackup(vault, mended.id)).wrong).toEqual([]);
  await appendFile(join(folder, "backups", mended.id, "manifest.json"), "!");
  expect((await verifyBackup(vault, mended.id)).wrong[0]).toContain("list of contents");
  await rm(join(folder, "backups", mended.id, "manifest.json"));

  // Old backups are deleted with the bytes that only they use, and so is an interrupted one.
  await db.query("delete from storage.objects where version = $1", [rows[0]?.version]);
  day = 40;
  const last = await makeBackup(source, vault, { now, keepDays: 30 });
  expect(last.removed).toEqual([id]);
  expect(await findBackups(vault)).toEqual({ whole: [last.id], broken: [] });
  expect(await vault.size(damaged)).toBeUndefined();
  expect(await vault.size(missing)).toBeDefined();
});

test.runIf(LONG)("a backup from outside writes only where it may, and no more than it declares", async () => {
  const db = await testDatabase();
  const dataDir = await freshFolder();
  const source = await sourceOf({ db, files: await openFiles(join(dataDir, "storage")), dataDir });
  const folder = await freshFolder();
  const vault = await openVault(folderPlace(folder), { create: true });
  const { id } = await makeBackup(source, vault);
  const manifest = await readManifest(vault, id);
  const installation = await emptyInstallation();
  await writeFile(join(installation.dataDir, "secret.key"), await readFile(join(dataDir, "secret.key")));
  /** Restores the backup with another list of objects, and other entries of its manifest. */
  const restoreWith = async (lines: object[], changes: object = {}) => {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    await writeFile(join(folder, objectsName(id)), gzipSync(text));
    const objects = { count: lines.length, bytes: 1_000_000, sha256: hashOf(Buffer.from(text)) };
    await writeFile(join(folder, manifestName(id)), JSON.stringify({ ...manifest, objects, ...changes }));
    return installation.restore(vault);
  };
  const bytes = await photo();
  const sha256 = hashOf(bytes);
  const object = { bucket: "media", version: randomUUID(), size: bytes.length, sha256 };
  await vault.write(vault.objectName(sha256), Readable.from([bytes]));
  const damagedList = "list of objects of the backup";
  for (const change of [
    { version: "../../../../escaped" },
    { bucket: "../.." },
    { bucket: ".." },
    { sha256: "../../../etc/passwd" },
    { size: -1 },
    { size: 2_000_000 },
    { version: "x".repeat(5000) },
  ]) {
    await expect(restoreWith([{ ...object, ...change }]), JSON.stringify(change)).rejects.toThrow(damagedList);
  }
  const more = { count: 1, bytes: 1_000_000, sha256 };
  await expect(restoreWith([object, { ...object, version: randomUUID() }], { objects: more })).rejects.toThrow(
    damagedList,
  );
  const [table] = manifest.tables;
  const damagedManifest = "list of contents of the backup";
  for (const change of [
    { tables: [{ ...table, name: "../../../outside" }] },
    { id: "another" },
    { objects: { ...more, count: "1" } },
    { unreadable: ["x".repeat(65 * 1024 * 1024)] },
  ]) {
    await expect(restoreWith([], change)).rejects.toThrow(damagedManifest);
  }
  // The table of plans has rows from the start.
  const tables = manifest.tables.map((one) => (one.name === "public.subscription_plans" ? { ...one, bytes: 10 } : one));
  await expect(restoreWith([], { tables })).rejects.toThrow(
    "The rows of the table public.subscription_plans are damaged",
  );

  // A longer file is cut off.
  let passed = 0;
  const chunks = function* () {
    for (; passed < 1000; passed += 1) yield Buffer.alloc(64 * 1024);
  };
  expect(await putObject(installation.files, object, async () => Readable.from(chunks()))).toBe(false);
  expect(passed).toBeLessThan(20);
  expect(await readdir(installation.files.parts)).toEqual([]);
  expect(await restoreWith([object])).toEqual([]);
});

/** Runs `npm run backup`, `verify` or `restore` on the command line. */
function run(command: "backup" | "verify" | "restore", folder: string, dataDir: string) {
  const child: ChildProcess = spawn(process.execPath, ["scripts/backup.mjs", command, folder], {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (output += text));
  const ended = once(child, "exit").then(([code]) => ({ code, output }));
  return { child, ended };
}

const filesBelow = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])).filter((entry) => entry.isFile())
    .length;

/** Kills a command once it has written this many files. */
async function killAt(count: number, folder: string, { child, ended }: ReturnType<typeof run>) {
  await expect
    .poll(async () => child.exitCode !== null || (await filesBelow(folder)) >= count, { interval: 2, timeout: 180_000 })
    .toBe(true);
  child.kill("SIGKILL");
  await ended;
}

test.runIf(LONG)("a server makes backups automatically, and a killed backup or restore can be repeated", async () => {
  const own = await freshFolder();
  const server = await killableServer({ BACKUP_TO: own, BACKUP_PASSPHRASE: PASSPHRASE });
  atEnd(() => server.close());
  const manifests = async () =>
    // An incomplete file has another name.
    (await readdir(own, { recursive: true })).filter((name) => /manifest\.json(\.age)?$/.test(name));
  await expect.poll(async () => (await manifests()).length, { timeout: 180_000 }).toBe(1);
  const scheduled = await openVault(folderPlace(own), { passphrase: PASSPHRASE });
  const [automatic = ""] = (await findBackups(scheduled)).whole;
  expect((await verifyBackup(scheduled, automatic)).wrong).toEqual([]);

  const ada = await signUp(server, "Ada");
  const memoryId = randomUUID();
  await ada.client.from("memories").insert({ id: memoryId, person_name: "Nonna Rosa" }).throwOnError();
  const photos = 24;
  for (let count = 0; count < photos; count += 1) {
    const { error } = await ada.client.storage.from("media").upload(freshName(memoryId), await photo(100_000));
    if (error) throw error;
  }
  const [folder, dataDir] = [await freshFolder(), await freshFolder()];
  const objects = join(folder, "objects");
  await killAt(photos / 2, objects, run("backup", folder, server.dataDir));
  // The backup may have ended before it was killed.
  expect((await run("verify", folder, server.dataDir).ended).output).toMatch(/no finished backup|is whole/);
  const made = await run("backup", folder, server.dataDir).ended;
  expect(made).toMatchObject({ code: 0 });
  expect(made.output).toContain(`${photos} files`);
  expect(await run("verify", folder, server.dataDir).ended).toMatchObject({ code: 0 });
  // Restoring fails while the installation's server runs.
  expect((await run("restore", folder, server.dataDir).ended).output).toContain("Another program uses the database");
  await server.stop();

  await writeFile(join(dataDir, "secret.key"), await readFile(join(server.dataDir, "secret.key")));
  const restored = join(dataDir, "storage/objects");
  await killAt(photos / 2, restored, run("restore", folder, dataDir));
  await killAt(photos, restored, run("restore", folder, dataDir));
  const done = await run("restore", folder, dataDir).ended;
  // The last restore may have ended before it was killed.
  if (!done.output.includes("not empty")) expect(done).toMatchObject({ code: 0 });
  const contents = async (of: string) => {
    const postgres = await startEmbeddedPostgres(of);
    const db = await openPostgres(postgres.url);
    try {
      return await readContents(db);
    } finally {
      await db.close();
      await postgres.close();
    }
  };
  const [before, after] = [await contents(server.dataDir), await contents(dataDir)];
  for (const table of ["auth.users", "auth.sessions", "storage.objects", "public.memories", "public.media_details"]) {
    expect(after[table]).toEqual(before[table]);
  }
  expect(after["storage.objects"]).toHaveLength(photos);
  for (const { version } of after["storage.objects"] ?? []) {
    const [of, is] = await Promise.all(
      [join(server.dataDir, "storage/objects"), restored].map((at) => readFile(join(at, "media", `${version}`))),
    );
    expect(is?.equals(of as Buffer)).toBe(true);
  }
});
