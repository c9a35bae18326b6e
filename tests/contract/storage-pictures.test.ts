import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { jobsFor } from "../../server/jobs/jobs.ts";
import { startWorker } from "../../server/jobs/worker.ts";
import { corpusFiles } from "../support/corpus.ts";
import { metadataIn } from "../support/photo-with-metadata.ts";
import { hasRealPhoto, photoPaths } from "../support/photos.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { freshName, jpeg } from "../support/uploads.ts";

const server = await testServer({}, undefined, { jobs: true });
const { db, url } = server;

let ada: Owner;
let visitor: string;
beforeAll(async () => {
  ada = await ownerOf(server, "Nonna Rosa");
  visitor = await server.sign({ role: "anon", aud: "anon", share: { link: ada.linkId, version: 1 } });
});

interface Media {
  state: string;
  width: number;
  height: number;
  placeholder: string;
  colour: string;
  taken_at: string | null;
}

/** Uploads a file and waits until the job has processed it. */
async function settled(photo: Buffer): Promise<{ name: string; media: Media }> {
  const name = freshName(ada.memoryId);
  const { error } = await server.client(ada.token).storage.from("media").upload(name, photo);
  if (error) throw error;
  const find = async () =>
    (
      await db.query<Media>(
        "select m.*, d.* from media m join media_details d on d.media_id = m.id where object_name = $1",
        [name],
      )
    ).rows[0];
  await expect.poll(async () => (await find())?.state).not.toBe("waiting");
  return { name, media: (await find()) as Media };
}

const seenBy = async (token: string, path: string) => {
  const reply = await fetch(`${url}/storage/v1${path}`, {
    headers: { authorization: `Bearer ${token}`, accept: "image/avif,image/webp,*/*" },
  });
  return {
    status: reply.status,
    type: reply.headers.get("content-type"),
    bytes: Buffer.from(await reply.arrayBuffer()),
  };
};
/** Reduces a picture to a few coarse pixels, which are the same for pictures that look alike. */
const glance = async (picture: Buffer) => {
  const { data } = await sharp(picture)
    .resize(12, 8, { fit: "fill" })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return data;
};
const difference = (a: Buffer, b: Buffer) =>
  a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length;

describe("a photo", () => {
  test("in each of the eight orientations is shown upright", async () => {
    const names = Array.from({ length: 8 }, (_, i) => `landscape-orientation-${i + 1}.jpg`);
    const glances: Buffer[] = [];
    for (const path of await photoPaths(...names)) {
      const { name, media } = await settled(await readFile(path));
      expect(media.state).toBe("ready");
      expect(media.width).toBeGreaterThan(media.height);
      const small = await seenBy(visitor, `/render/image/authenticated/media/${name}?width=320`);
      const whole = await seenBy(visitor, `/object/media/${name}`);
      const facts = await sharp(whole.bytes).metadata();
      expect([facts.width, facts.height]).toEqual([media.width, media.height]);
      glances.push(await glance(small.bytes), await glance(whole.bytes));
    }
    const [first, ...others] = glances;
    for (const other of others) expect(difference(first as Buffer, other)).toBeLessThan(6);
  });

  test("has a colour, a date and a placeholder in its row", async () => {
    const photo = await jpeg(640, 480, "#2a9d8f", { IFD2: { DateTimeOriginal: "2019:05:04 23:59:58" } });
    const { media } = await settled(photo);
    expect(media.state).toBe("ready");
    expect(media.colour).toMatch(/^#2.9.8.$/);
    expect(media.taken_at).toBe("2019-05-04T23:59:58");
    expect(media.placeholder.length).toBeLessThan(600);
    const tiny = await sharp(
      Buffer.from(media.placeholder.replace("data:image/webp;base64,", ""), "base64"),
    ).metadata();
    expect(tiny).toMatchObject({ format: "webp", width: 20, height: 15 });
  });

  test("has its gallery copies before anybody requests them", async () => {
    const { name } = await settled(await readFile((await photoPaths("canon.jpg"))[0] ?? ""));
    const { rows } = await db.query<{ version: string }>("select version from storage.objects where name = $1", [name]);
    const made = readdirSync(await server.files.copies.folder(rows[0]?.version ?? ""));
    expect(made.sort()).toEqual(["320.avif", "640.avif", "960.webp"]);
  });
});

// The landscapes are one photo, rotated in eight ways, which the test above covers.
const photos = corpusFiles("photos");
test.runIf(photos.available).each(photos.files.filter(([name]) => !/orientation-[2-8]/.test(name)))(
  "%s is stored and shown, and a visitor's copies contain no private metadata",
  async (_name, path) => {
    const photo = await readFile(path);
    const { name, media } = await settled(photo);
    expect(media.state).toBe("ready");
    expect((await seenBy(ada.token, `/object/media/${name}`)).bytes.equals(photo)).toBe(true);
    for (const copy of [
      "/object/media/",
      ...[320, 640, 960].map((width) => `/render/image/authenticated/media/?width=${width}`),
    ]) {
      const { status, type, bytes } = await seenBy(visitor, copy.replace("/media/", `/media/${name}`));
      expect([status, type]).toEqual([200, /width=(320|640)/.test(copy) ? "image/avif" : "image/webp"]);
      expect([copy, await metadataIn(bytes)]).toEqual([copy, []]);
      const facts = await sharp(bytes).metadata();
      expect(facts.width / facts.height).toBeCloseTo(media.width / media.height, 1);
    }
  },
);

const broken = corpusFiles("broken");
test.runIf(broken.available).each(broken.files)(
  "%s is shown, marked as broken or refused, and the server keeps working",
  async (_name, path) => {
    const outcome = await settled(await readFile(path)).catch((error: { message: string }) => error);
    if ("message" in outcome) {
      expect(outcome.message).toMatch(/^mime type .* is not supported$/);
    } else {
      const { name, media } = outcome;
      const path = `/render/image/authenticated/media/${name}?width=320`;
      const statuses = [(await seenBy(visitor, path)).status, (await seenBy(ada.token, path)).status];
      expect([media.state, ...statuses]).toEqual(media.state === "ready" ? ["ready", 200, 200] : ["broken", 404, 422]);
    }
    expect((await fetch(`${url}/health`)).status).toBe(200);
  },
);

test.runIf(hasRealPhoto("iphone.heic"))("a truncated HEIC photo is broken", async () => {
  const whole = await readFile((await photoPaths("iphone.heic"))[0] ?? "");
  const { media } = await settled(whole.subarray(0, 20_000));
  expect(media.state).toBe("broken");
});

test("a photo whose processing has crashed too often is marked as broken", async () => {
  const { rows } = await db.query<{ id: string; object_name: string }>(
    "select id, object_name from media where state = 'ready' limit 1",
  );
  const { id = "" } = rows[0] ?? {};
  await db.query(
    `with crashed as (insert into private.work (kind, subject, attempts) values ('photos', $1, 3))
     update media set state = 'waiting' where id = $1`,
    [id],
  );
  const jobs = jobsFor({ db, files: server.files, gateways: {}, site: server.url, log: console });
  const worker = startWorker(jobs, { db, log: console });
  await expect
    .poll(async () => (await db.query<{ state: string }>("select state from media where id = $1", [id])).rows[0]?.state)
    .toBe("broken");
  await worker.stop();
});
