import { createHash, randomBytes, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { SupabaseClient } from "@supabase/supabase-js";
import sharp from "sharp";
import { expect } from "vitest";
import { inOrder } from "../../server/threads/queue.ts";
import { freshName, jpeg, resumable } from "./uploads.ts";
import { unzip } from "./zip.ts";

/** The people and the server of the load. */
export interface DrillSite {
  url: string;
  publishableKey: string;
  token: string;
  memoryId: string;
}

/** The number of steps of each kind that must succeed before and after a fault. */
export const STEPS = 6;
/** The same for kinds whose steps take seconds each. */
const FEWER_STEPS: Partial<Record<Work, number>> = { uploadInParts: 2 };
const MINUTE = 60_000;

export type Work =
  | "addAlbum"
  | "readAlbums"
  | "uploadAtOnce"
  | "uploadResumably"
  | "uploadInParts"
  | "showPhoto"
  | "takeArchive"
  | "askForMail";

/** The size in bytes of an upload that an object store gets in three parts. */
const IN_PARTS = 11_000_000;

/** The responses during a fault: each status and message, with its count. */
type Seen = Map<string, number>;

/** The place of the message in a body depends on the protocol. */
function noteRefusal(seen: Seen, status: number, text: string) {
  let body: Record<string, unknown> = {};
  try {
    body = JSON.parse(text);
  } catch {
    // Not JSON: recorded as it is.
  }
  const sentence = body.message ?? body.msg ?? text.slice(0, 200);
  const line = `${status} ${sentence}`;
  seen.set(line, (seen.get(line) ?? 0) + 1);
}

const photo = async (size: number) => Buffer.concat([await jpeg(), randomBytes(size)]);
const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** Load on a server, a record of what it acknowledged, and drills that break something meanwhile. */
export function drillLoad(site: DrillSite, isAlive: () => boolean) {
  /** What the server has acknowledged. */
  const ledger = { photos: new Map<string, string>(), albums: new Set<string>(), asked: [] as string[] };
  /** The name and id of the photo that was stored last in one request. */
  let last: { name: string; id: string } | undefined;

  const headersOf = (type: string) => ({
    apikey: site.publishableKey,
    authorization: `Bearer ${site.token}`,
    "content-type": type,
  });

  async function addAlbum(seen: Seen): Promise<boolean> {
    const id = randomUUID();
    const reply = await fetch(`${site.url}/rest/v1/albums`, {
      method: "POST",
      headers: headersOf("application/json"),
      body: JSON.stringify({ id, name: "A row" }),
    });
    if (reply.ok) ledger.albums.add(id);
    else noteRefusal(seen, reply.status, await reply.text());
    return reply.ok;
  }

  async function readAlbums(seen: Seen): Promise<boolean> {
    const reply = await fetch(`${site.url}/rest/v1/albums?select=id&limit=5`, {
      headers: headersOf("application/json"),
    });
    if (!reply.ok) noteRefusal(seen, reply.status, await reply.text());
    return reply.ok;
  }

  async function uploadAtOnce(seen: Seen): Promise<boolean> {
    const [name, bytes] = [freshName(site.memoryId), await photo(50_000)];
    const reply = await fetch(`${site.url}/storage/v1/object/media/${name}`, {
      method: "POST",
      headers: headersOf("image/jpeg"),
      body: bytes,
    });
    if (reply.ok) {
      ledger.photos.set(name, hashOf(bytes));
      const { Id } = (await reply.json()) as { Id: string };
      last = { name, id: Id };
    } else noteRefusal(seen, reply.status, await reply.text());
    return reply.ok;
  }

  /** Requests a copy of the last photo, which must be a whole picture. */
  async function showPhoto(seen: Seen): Promise<boolean> {
    if (!last) return false;
    const path = `/storage/v1/render/image/authenticated/media/${last.name}?width=320`;
    const reply = await fetch(site.url + path, { headers: headersOf("image/jpeg") });
    if (!reply.ok) noteRefusal(seen, reply.status, await reply.text());
    else expect((await sharp(Buffer.from(await reply.arrayBuffer())).stats()).channels).toHaveLength(3);
    return reply.ok;
  }

  /** Downloads the last photo in an archive, which must have its bytes. */
  async function takeArchive(seen: Seen): Promise<boolean> {
    if (!last) return false;
    const { id, name } = last;
    const prepared = await fetch(`${site.url}/functions/v1/prepare-download`, {
      method: "POST",
      headers: headersOf("application/json"),
      body: JSON.stringify({ mediaIds: [id] }),
    });
    if (!prepared.ok) {
      noteRefusal(seen, prepared.status, await prepared.text());
      return false;
    }
    const { url } = (await prepared.json()) as { url: string };
    const reply = await fetch(url);
    if (!reply.ok) noteRefusal(seen, reply.status, await reply.text());
    else {
      const files = await unzip(Buffer.from(await reply.arrayBuffer()));
      expect(files.map(({ bytes }) => hashOf(bytes))).toContain(ledger.photos.get(name));
    }
    return reply.ok;
  }

  const uploadResumably = (seen: Seen) => sendInChunks(seen, { size: 300_000, chunkSize: 100_000 });
  const uploadInParts = (seen: Seen) => sendInChunks(seen, { size: IN_PARTS, chunkSize: 1_000_000 });

  /** Retries until the upload is stored, like the web app. */
  async function sendInChunks(seen: Seen, { size, chunkSize }: Record<"size" | "chunkSize", number>): Promise<boolean> {
    const [name, bytes] = [freshName(site.memoryId), await photo(size)];
    const { upload, done } = resumable(
      { url: site.url, token: site.token, name, bytes },
      {
        chunkSize,
        retryDelays: Array.from({ length: 5000 }, () => 250),
        onShouldRetry: ({ originalResponse }) => {
          if (originalResponse) noteRefusal(seen, originalResponse.getStatus(), originalResponse.getBody());
          return true;
        },
      },
    );
    upload.start();
    await done;
    ledger.photos.set(name, hashOf(bytes));
    return true;
  }

  /** Signs up with a new address, which gets an email. */
  async function askForMail(seen: Seen): Promise<boolean> {
    const email = `guest-${randomUUID()}@example.com`;
    const reply = await fetch(`${site.url}/auth/v1/signup`, {
      method: "POST",
      headers: { apikey: site.publishableKey, "content-type": "application/json" },
      body: JSON.stringify({ email, password: `a good password ${email}` }),
    });
    if (!reply.ok) noteRefusal(seen, reply.status, await reply.text());
    else ledger.asked.push(email);
    return reply.ok;
  }

  const WORK: Record<Work, (seen: Seen) => Promise<boolean>> = {
    addAlbum,
    readAlbums,
    uploadAtOnce,
    uploadResumably,
    uploadInParts,
    showPhoto,
    takeArchive,
    askForMail,
  };

  /**
   * Runs the load before, during and after a fault. Resolves to the responses during the fault when each kind of step
   * succeeds again; `fault` resolves when the fault is over. `cuts`: the fault cuts requests off without an answer.
   */
  async function drill(
    title: string,
    fault: () => Promise<unknown>,
    work: Work[] = ["addAlbum", "readAlbums", "uploadAtOnce", "uploadResumably"],
    { cuts = false } = {},
  ) {
    /** One step. When the server is killed, a request without an answer is a step that did not succeed. */
    const step = (name: Work) =>
      WORK[name](seen).catch((error: Error) => {
        if (!cuts || error.name === "AssertionError") throw error;
        return false;
      });
    const seen: Seen = new Map();
    const steps = new Map<Work, number>(work.map((name) => [name, 0]));
    let over = false;
    const busy = Promise.all(
      work.map(async (name) => {
        while (!over) {
          if (await step(name)) steps.set(name, (steps.get(name) ?? 0) + 1);
          await delay(20);
        }
      }),
    );
    const enough = async () => {
      const before = new Map(steps);
      await expect
        .poll(
          () => work.every((name) => (steps.get(name) ?? 0) >= (before.get(name) ?? 0) + (FEWER_STEPS[name] ?? STEPS)),
          { timeout: 10 * MINUTE },
        )
        .toBe(true);
    };
    const drilled = (async () => {
      await enough();
      await fault();
      await enough();
    })();
    await Promise.race([drilled, busy]).finally(() => {
      over = true;
      for (const [line, times] of seen) console.info(`${title}: ${times} × ${line}`);
    });
    await busy;
    expect(isAlive()).toBe(true);
    // Each message is a sentence without details of the failure.
    const lines = [...seen.keys()];
    expect(lines.filter((line) => !/^(429|50[347]|544) (\w+: )?[A-Z].*\.$/.test(line))).toEqual([]);
    return lines;
  }

  /** Compares everything that was acknowledged with what is stored. */
  async function expectNothingLost(client: SupabaseClient) {
    const media = client.storage.from("media");
    const read = async ([name, hash]: [string, string]) => {
      const { data: file, error } = await media.download(name);
      expect(error, name).toBeNull();
      expect(file && hashOf(Buffer.from(await file.arrayBuffer())), name).toBe(hash);
    };
    // In parallel, because the photos of all drills would take two minutes one by one.
    for await (const _ of inOrder(ledger.photos, 8, read));
    const ids = new Set<string>();
    for (let from = 0; from === ids.size; from += 500) {
      const page = await client
        .from("albums")
        .select("id")
        .order("id")
        .range(from, from + 499)
        .throwOnError();
      for (const { id } of page.data) ids.add(id);
    }
    expect([...ledger.albums].filter((id) => !ids.has(id))).toEqual([]);
  }

  return { ledger, headersOf, drill, expectNothingLost };
}
