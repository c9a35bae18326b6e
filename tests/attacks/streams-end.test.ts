import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { asCaller } from "../../server/database/as-caller.ts";
import { emptyDatabase } from "../support/database.ts";
import { openEncoder } from "../support/encoded-videos.ts";
import { sampled } from "../support/long-tests.ts";
import { givePlan } from "../support/plans.ts";
import { testServer } from "../support/server.ts";
import { type Owner, open, ownerOf, post, setPin } from "../support/sharing.ts";
import { downloadSlowly } from "../support/slow-download.ts";
import { freshName, jpeg } from "../support/uploads.ts";

/** Bytes, more than the operating system buffers for a connection. */
const PADDING = 24 * 1024 * 1024;

const server = await testServer();
const { db } = server;
let ada: Owner;
beforeEach(async () => {
  await emptyDatabase(db);
  ada = await ownerOf(server, "Nonna Rosa");
  await givePlan(db, ada.userId);
});

interface Stored {
  id: string;
  name: string;
  version: string;
}

async function store(bytes: Buffer, ending: string, contentType: string): Promise<Stored> {
  const name = freshName(ada.memoryId, ending);
  const { error } = await server.client(ada.token).storage.from("media").upload(name, bytes, { contentType });
  if (error) throw error;
  const { rows } = await db.query<Stored>("select id, name, version from storage.objects where name = $1", [name]);
  if (!rows[0]) throw new Error(`${name} is not stored`);
  return rows[0];
}
const photo = async () => store(Buffer.concat([await jpeg(), randomBytes(PADDING)]), "jpg", "image/jpeg");
/** The number of noise pictures that make a video of this size. */
const PICTURES = 80;
let noise: Buffer;
beforeAll(async () => {
  const encoder = await openEncoder();
  noise = await encoder.noise(PICTURES);
  await encoder.close();
});
const video = () => store(noise, "mp4", "video/mp4");

/** Creates a person whom Ada makes a co-owner of her memory. */
async function coOwner(): Promise<Owner> {
  const bob = await ownerOf(server, "Another");
  await db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, 'co-owner')", [
    ada.memoryId,
    bob.userId,
  ]);
  return bob;
}
const bearer = (token: unknown) => ({ authorization: `Bearer ${token}` });
const visitor = async () => String((await open(server, ada.shareId)).body.token);
const asAda = (text: string, values: unknown[]) => asCaller(db, ada.caller, (tx) => tx.query(text, values));
const revokeLink = () => asAda("update share_links set revoked_at = now() where id = $1", [ada.linkId]);

async function signedUrl(token: string, name: string): Promise<string> {
  const { data, error } = await server.client(token).storage.from("media").createSignedUrl(name, 3600);
  if (error) throw error;
  return data.signedUrl;
}

interface Case {
  url: string;
  headers?: Record<string, string>;
  /** Ends the right to the URL. */
  end(): Promise<unknown>;
}

const CASES: Record<string, () => Promise<Case>> = {
  "the original of a photo, when the co-owner who reads it is removed": async () => {
    const [{ name }, bob] = [await photo(), await coOwner()];
    return {
      url: `${server.url}/storage/v1/object/authenticated/media/${name}`,
      headers: bearer(bob.token),
      end: () => asAda("delete from memory_members where user_id = $1", [bob.userId]),
    };
  },
  "the original of a photo, when the session of its reader ends": async () => {
    const [{ name }, session] = [await photo(), randomUUID()];
    await db.query("insert into auth.sessions (id, user_id) values ($1, $2)", [session, ada.userId]);
    const token = await server.sign({ ...ada.caller, aud: "authenticated", session_id: session });
    return {
      url: `${server.url}/storage/v1/object/media/${name}`,
      headers: bearer(token),
      end: () => db.query("delete from auth.sessions where id = $1", [session]),
    };
  },
  "a rendition, when the link is revoked": async () => {
    const { name, version } = await store(await jpeg(), "jpg", "image/jpeg");
    const folder = join(server.dataDir, "storage/renditions", version);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "640.webp"), randomBytes(PADDING));
    const url = (await signedUrl(await visitor(), name)).replace("/object/sign/", "/render/image/sign/");
    return { url: `${url}&width=640`, end: revokeLink };
  },
  "a whole video, when the PIN changes": async () => {
    const { name } = await video();
    return { url: await signedUrl(await visitor(), name), end: () => setPin(server, ada, "0417") };
  },
  "a range of a video, when it is hidden": async () => {
    const { name, id } = await video();
    return {
      url: await signedUrl(await visitor(), name),
      headers: { range: "bytes=1000-" },
      end: () => asAda("select moderate($1, 'hidden')", [JSON.stringify([{ kind: "media", id }])]),
    };
  },
  "the copy of a video that plays everywhere, when the memory is deleted": async () => {
    const { name, version } = await video();
    const part = await server.files.videos.partPath(version);
    await writeFile(part, randomBytes(PADDING));
    await server.files.videos.keepPlayable(version, part);
    const url = await signedUrl(await visitor(), name);
    return {
      url: url.replace("/object/sign/", "/render/video/sign/"),
      end: () => asAda("delete from memories where id = $1", [ada.memoryId]),
    };
  },
  "an archive, when the co-owner who reads it is blocked": async () => {
    await photo();
    const bob = await coOwner();
    const { body } = await post(
      server,
      "prepare-download",
      { memoryId: ada.memoryId, archive: true },
      bearer(bob.token),
    );
    return {
      url: String(body.url),
      end: () => asAda("select block_person($1, $2)", [ada.memoryId, bob.userId]),
    };
  },
};

test.each(sampled(Object.entries(CASES), 3))("a slow download is cut off: %s", async (_what, make) => {
  const { url, headers, end } = await make();
  const whole = await fetch(url, { headers });
  const size = (await whole.arrayBuffer()).byteLength;
  expect([200, 206]).toContain(whole.status);

  const { begun, outcome } = downloadSlowly(url, headers);
  await begun;
  await end();
  const result = await outcome;
  expect(result).toMatchObject({ promised: size, brokeOff: true });
  // Compares bytes, not time, because a busy machine needs time to read the bytes that have already arrived.
  expect(result.received).toBeLessThan(size / 2);
});
