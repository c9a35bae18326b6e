import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureAge } from "../../scripts/setup/test-programs.mjs";
import { makeBackup } from "../../server/backup/backup.ts";
import { findBackups, objectsName, rowsName } from "../../server/backup/manifest.ts";
import { openPlace } from "../../server/backup/place.ts";
import { openVault } from "../../server/backup/vault.ts";
import { verifyBackup } from "../../server/backup/verify.ts";
import { runningPostgresUrl, startEmbeddedPostgres } from "../../server/database/embedded/embedded.ts";
import { openPostgres } from "../../server/database/postgres.ts";
import { type Files, openFiles } from "../../server/files/files.ts";
import { readSettings } from "../../server/settings/settings.ts";
import { atEnd } from "../support/at-end.ts";
import { emptyInstallation, freshFolder, hashOf, PASSPHRASE, photo, sourceOf, workFactor } from "../support/backups.ts";
import { type Contents, readContents } from "../support/baseline.ts";
import { databaseUrlWithoutSchema } from "../support/database.ts";
import { type KillableServer, killableServer } from "../support/killable-server.ts";
import { LONG } from "../support/long-tests.ts";
import { signUp } from "../support/people.ts";
import { type S3Server, startS3 } from "../support/s3-server.ts";
import { testServer } from "../support/server.ts";
import { type Owner, open, post, setPin, shareFirstLink } from "../support/sharing.ts";
import { freshName } from "../support/uploads.ts";

const MIB = 1024 * 1024;

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.close());

/** Creates a bucket for backups. Resolves to its settings and name. */
async function backupBucket() {
  const bucketSettings = await s3.bucket();
  const settings = Object.fromEntries(Object.entries(bucketSettings).map(([name, value]) => [`BACKUP_${name}`, value]));
  const { BACKUP_S3_BUCKET: bucket = "", ...service } = settings;
  return { bucket, service, to: `s3://${bucket}/skies/daily` };
}

/** Decrypts with Debian's `age`, which asks for a passphrase only in a terminal. Resolves to the plain bytes. */
async function age(args: string[], sealed: Buffer, passphrase?: string): Promise<Buffer> {
  const folder = await freshFolder();
  const [from, to] = [join(folder, "sealed.age"), join(folder, "plain")];
  await writeFile(from, sealed);
  const command = [(await ensureAge()).file, "--decrypt", ...args, "-o", to, from];
  const child = spawn("/usr/bin/script", ["--quiet", "--return", "--command", command.join(" "), "/dev/null"]);
  if (passphrase) child.stdin.write(`${passphrase}\n`);
  let output = "";
  child.stdout.on("data", (text) => (output += text));
  const [code] = await once(child, "exit");
  expect({ code, output }).toMatchObject({ code: 0 });
  return readFile(to);
}

test.runIf(LONG)(
  "a backup in a bucket is incremental, can be decrypted with age, and restores every row and byte",
  async () => {
    const server = await testServer(await s3.bucket());
    const ada = await signUp(server, "Ada");
    const memoryId = randomUUID();
    await ada.client.from("memories").insert({ id: memoryId, person_name: "Nonna Rosa" }).throwOnError();
    const bytesOf = new Map<string, Buffer>();
    const upload = async (bytes: Buffer) => {
      const name = freshName(memoryId);
      const { error } = await ada.client.storage.from("media").upload(name, bytes);
      if (error) throw error;
      bytesOf.set(name, bytes);
    };
    for (const tail of [10, 3000, 20 * MIB]) await upload(await photo(tail));

    const { bucket, service, to } = await backupBucket();
    const { backupS3, s3: files } = readSettings({ ...(await s3.bucket()), ...service });
    const place = await openPlace({ to, service: backupS3, files });
    const vault = await openVault(place, { passphrase: PASSPHRASE, create: true, workFactor });
    const source = await sourceOf(server);
    let day = 0;
    const now = () => new Date(Date.UTC(2030, 0, 1 + day));
    const first = await makeBackup(source, vault, { now });
    expect(first).toMatchObject({ objects: 3, copied: 3, unreadable: [] });

    // The next backup removes the parts of a file that a killed process has left.
    const Key = "skies/daily/objects/ab/abandoned.age";
    await s3.client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key }));
    await upload(await photo());
    day = 1;
    const second = await makeBackup(source, vault, { now });
    expect(second).toMatchObject({ objects: 4, copied: 1 });
    expect((await s3.client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads ?? []).toEqual([]);
    const before = await readContents(server.db);
    expect((await verifyBackup(vault, second.id)).wrong).toEqual([]);

    const sealed = async (name: string) => buffer(await place.read(`${name}.age`));
    const identity = join(await freshFolder(), "key.txt");
    await writeFile(identity, await age([], await buffer(await place.read("key.age")), PASSPHRASE));
    const opened = async (name: string) => age(["-i", identity], await sealed(name));
    const table = { name: "public.memories", columns: [] };
    expect(gunzipSync(await opened(rowsName(second.id, table))).toString()).toContain("Nonna Rosa");
    const objects = gunzipSync(await opened(objectsName(second.id))).toString();
    for (const bytes of bytesOf.values()) {
      expect(objects).toContain(hashOf(bytes));
      expect(hashOf(await opened(vault.objectName(hashOf(bytes))))).toBe(hashOf(bytes));
    }

    // Restored into an installation with its files in a folder.
    const installation = await emptyInstallation();
    expect(await installation.restore(vault)).toEqual([]);
    const db = await installation.open();
    expect(await readContents(db)).toEqual(before);
    await db.close();
    for (const { name, version } of before["storage.objects"] ?? []) {
      const bytes = await buffer(await installation.files.objects.read({ bucket: "media", version: `${version}` }));
      expect(hashOf(bytes)).toBe(hashOf(bytesOf.get(`${name}`) ?? randomBytes(1)));
    }

    // Damage is reported, and repaired by a backup that checks. Old backups are deleted with the bytes that only they
    // use.
    const [gone = "", damaged = ""] = [...bytesOf.values()].map((bytes) => vault.objectName(hashOf(bytes)));
    const whole = await sealed(damaged);
    await s3.client.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: `skies/daily/${damaged}.age`,
        Body: whole.fill(0, whole.length - 5),
      }),
    );
    expect((await verifyBackup(vault, second.id)).wrong).toEqual([expect.stringContaining("are damaged")]);
    await server.db.query("delete from storage.objects where name = $1", [[...bytesOf.keys()][0]]);
    day = 40;
    const last = await makeBackup(source, vault, { now, check: true, keepDays: 30 });
    expect(last).toMatchObject({ objects: 3, copied: 1, removed: [first.id, second.id] });
    expect(await findBackups(vault)).toEqual({ whole: [last.id], broken: [] });
    expect((await verifyBackup(vault, last.id)).wrong).toEqual([]);
    expect([await vault.size(gone), await vault.size(damaged)]).toEqual([undefined, whole.length]);

    // The bucket of the installation's files cannot hold backups.
    const own = { ...service, S3_BUCKET: bucket, S3_REGION: "default", S3_ENDPOINT: s3.endpoint };
    await expect(openPlace({ to, service: backupS3, files: readSettings(own).s3 })).rejects.toThrow(
      "Choose another one",
    );
    await expect(openPlace({ to: "s3://no-such-bucket", service: backupS3 })).rejects.toThrow("does not exist");
  },
);

test.runIf(LONG)("a server makes backups into a bucket by itself", async () => {
  const { service, to } = await backupBucket();
  const environment = { ...service, BACKUP_TO: to };
  await testServer({ ...(await s3.bucket()), ...environment }, undefined, { jobs: true });
  const place = await openPlace({ to, service: readSettings(service).backupS3 });
  const backups = async () => {
    const names: string[] = [];
    for await (const name of place.list("backups")) names.push(name);
    return names;
  };
  await expect.poll(backups, { timeout: 180_000 }).toContainEqual(expect.stringContaining("manifest.json"));
  const vault = await openVault(place, {});
  const [made = ""] = (await findBackups(vault)).whole;
  expect((await verifyBackup(vault, made)).wrong).toEqual([]);
});

/** The URL and keys of a server, in the form in which functions are called. */
const site = ({ url, publishableKey }: KillableServer) => ({ url, keys: { publishable: publishableKey, secret: "" } });

/** Runs `npm run move` on the command line. */
function runMove(args: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, ["scripts/backup.mjs", "move", ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { output: "" };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said.output += text));
  const ended = once(child, "exit").then(([code]) => ({ code, output: said.output }));
  return { child, said, ended };
}

/** Kills a command as soon as a condition is true. */
async function killWhen({ child, ended }: ReturnType<typeof runMove>, isSo: () => boolean | Promise<boolean>) {
  await expect
    .poll(async () => child.exitCode !== null || (await isSo()), { interval: 5, timeout: 180_000 })
    .toBe(true);
  child.kill("SIGKILL");
  expect((await ended).code).toBeNull();
}

test.runIf(LONG)(
  "an installation is moved to PostgreSQL and a bucket while it is read, in three attempts, and back to one folder",
  async () => {
    const old = await killableServer();
    atEnd(() => old.close());
    const ada = await signUp(old, "Ada");
    const memoryId = randomUUID();
    await ada.client.from("memories").insert({ id: memoryId, person_name: "Nonna Rosa" }).throwOnError();
    const bytesOf = new Map<string, string>();
    for (let count = 0; count < 16; count += 1) {
      const [name, bytes] = [freshName(memoryId), await photo(100_000)];
      const { error } = await ada.client.storage.from("media").upload(name, bytes);
      if (error) throw error;
      bytesOf.set(name, hashOf(bytes));
    }

    await shareFirstLink(ada.client, memoryId);
    const { data: link } = await ada.client.from("share_links").select("id, share_id").single().throwOnError();
    const owner = { token: ada.token, linkId: link?.id } as Owner;
    expect((await setPin(site(old), owner, "0417")).status).toBe(200);

    // People read all the time, and write until a refusal gives them the reason.
    let over = false;
    const reads = { rows: 0, photos: 0 };
    const [aPhoto = ""] = bytesOf.keys();
    const again = async (read: () => Promise<Response>) => {
      // Like the app, which repeats a read if the server asks for it.
      for (let answer = await read(); !answer.ok; answer = await read())
        expect({ status: answer.status, text: await answer.text() }).toMatchObject({ status: 503 });
    };
    const headers = { authorization: `Bearer ${ada.token}`, apikey: old.publishableKey };
    let lastName = "";
    let refused: { status: number; message: string } | undefined;
    const write = async (name: string) => {
      const { error, status } = await ada.client.from("memories").update({ person_name: name }).eq("id", memoryId);
      if (!error) lastName = name;
      // Otherwise an idle connection was closed at the moment of its use.
      else if (!error.message.includes("cannot be reached")) refused = { status, message: error.message };
    };
    const working = (async () => {
      for (let count = 0; !over; count += 1) {
        await again(() => fetch(`${old.url}/rest/v1/memories?select=*,albums(*)`, { headers }));
        reads.rows += 1;
        await again(() => fetch(`${old.url}/storage/v1/object/authenticated/media/${aPhoto}`, { headers }));
        reads.photos += 1;
        if (!refused) await write(`Rosa ${count}`);
      }
    })();

    const url = await databaseUrlWithoutSchema();
    const bucket = await s3.bucket();
    const { S3_BUCKET: name = "", ...service } = bucket;
    const moveSettings = Object.fromEntries(Object.entries(service).map(([key, value]) => [`MOVE_${key}`, value]));
    const there = ["--to", url, "--objects", `s3://${name}`];
    const environment = { DATA_DIR: old.dataDir, ...moveSettings };
    const inBucket = async () =>
      (await s3.client.send(new ListObjectsV2Command({ Bucket: name, Prefix: "objects/" }))).KeyCount ?? 0;
    await killWhen(runMove(there, environment), async () => (await inBucket()) >= bytesOf.size / 2);
    const second = runMove(there, environment);
    await killWhen(second, () => second.said.output.includes("reads only"));

    // Reads still work: with a session that has to be renewed, with a PIN, and for a download of everything.
    const pin = (typedPin: string, at = site(old)) => open(at, link?.share_id, typedPin);
    const { data: earlier } = await ada.client.auth.getSession();
    const { data: renewed, error: notRenewed } = await ada.client.auth.refreshSession();
    expect({ notRenewed, token: renewed.session?.refresh_token }).toEqual({
      notRenewed: null,
      token: earlier.session?.refresh_token,
    });
    const seenBy = (token: unknown) => old.client(`${token}`).from("memories").select("id").throwOnError();
    expect((await seenBy(renewed.session?.access_token)).data).toHaveLength(1);
    expect((await seenBy((await pin("0417")).body.token)).data).toHaveLength(1);
    const download = { memoryId, archive: true };
    const authorization = `Bearer ${renewed.session?.access_token}`;
    const prepare = async () => (await post(site(old), "prepare-download", download, { authorization })).status;
    await expect.poll(prepare, { timeout: 180_000 }).toBe(200);
    // The limit of PIN guesses still applies.
    for (let wrong = 0; wrong < 5; wrong += 1) expect((await pin("0000")).status).toBe(401);
    expect(await pin("0417")).toMatchObject({ status: 429, body: { code: "locked" } });
    const moved = await runMove(there, environment).ended;
    expect(moved).toMatchObject({ code: 0 });
    expect(moved.output).toContain(`${bytesOf.size} files`);
    await expect
      .poll(() => refused)
      .toMatchObject({ status: 503, message: expect.stringContaining("Everything can still be seen") });
    const before = { ...reads };
    await expect.poll(() => reads.rows > before.rows && reads.photos > before.photos).toBe(true);
    over = true;
    await working;

    const db = await openPostgres(url);
    const contents = await readContents(db);
    const source = await openPostgres(await runningPostgresUrl(old.dataDir));
    expect(contents).toEqual(await readContents(source));
    await source.close();
    expect(contents["public.memories"]).toMatchObject([{ person_name: lastName }]);
    const secretKey = await readFile(join(old.dataDir, "secret.key"), "utf8");
    const settings = { ...bucket, SECRET_KEY: secretKey };
    const fresh = await testServer(settings, { db, dataDir: await freshFolder() });
    const hashesOf = async (files: Pick<Files, "objects">, rows: Contents) =>
      new Map(
        await Promise.all(
          (rows["storage.objects"] ?? []).map(async ({ name: photoName, version }): Promise<[string, string]> => {
            const bytes = await buffer(await files.objects.read({ bucket: "media", version: `${version}` }));
            return [`${photoName}`, hashOf(bytes)];
          }),
        ),
      );
    expect(await hashesOf(fresh.files, contents)).toEqual(bytesOf);
    // A move never overwrites moved data.
    expect((await runMove(there, environment).ended).output).toMatch(/not empty|Another program/);

    // Locks and sessions from the time of the move are valid in the new installation.
    expect(await pin("0417", fresh)).toMatchObject({ status: 429, body: { code: "locked" } });
    const refresh = { refresh_token: renewed.session?.refresh_token ?? "" };
    expect((await fresh.client().auth.refreshSession(refresh)).error).toBeNull();

    // Ada continues in the new installation, and her changes there are part of the move back.
    const client = fresh.client();
    expect((await client.auth.signInWithPassword({ email: ada.email, password: ada.password })).error).toBeNull();
    await client.from("memories").update({ person_name: "Rosa in the bucket" }).eq("id", memoryId).throwOnError();
    const folder = await freshFolder();
    const back = await runMove(["--to", folder], { DATA_DIR: folder, DATABASE_URL: url, ...settings }).ended;
    expect(back).toMatchObject({ code: 0 });
    const stillThere = await client.from("memories").select("person_name").throwOnError();
    expect(stillThere.data).toEqual([{ person_name: "Rosa in the bucket" }]);
    const late = await client.from("memories").update({ person_name: "too late" }).eq("id", memoryId);
    expect(late.status).toBe(503);
    const embedded = await startEmbeddedPostgres(folder);
    const home = await openPostgres(embedded.url);
    const [returned, currentContents] = [await readContents(home), await readContents(db)];
    expect(returned).toEqual(currentContents);
    expect(await hashesOf(await openFiles(join(folder, "storage")), returned)).toEqual(bytesOf);
    expect(await readFile(join(folder, "secret.key"), "utf8")).toBe(secretKey);
    await home.close();
    await embedded.close();

    // A mistaken move can be cancelled.
    expect((await runMove(["--cancel"], { DATABASE_URL: url, ...settings }).ended).code).toBe(0);
    await expect
      .poll(async () => (await client.from("memories").update({ person_name: "Rosa" }).eq("id", memoryId)).status)
      .toBe(204);
  },
);
