import { QueryClient } from "@tanstack/react-query";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jobsFor } from "../../server/jobs/jobs.ts";
import { startWorker } from "../../server/jobs/worker.ts";
import { photosQuery } from "../../web/data/media.queries.ts";
import type { Photo } from "../../web/data/photo.ts";
import { movePhotos } from "../../web/features/photos/photos.queries.ts";
import { openEncoder, PLANTED } from "../support/encoded-videos.ts";
import {
  androidVideo,
  iphonePhoto,
  liveVideo,
  MOTION_PHOTOS,
  PHOTO_SECRET,
  phonePhoto,
  ultraHdr,
} from "../support/live-photos.ts";
import { LONG, sampled, sized } from "../support/long-tests.ts";
import { givePlan } from "../support/plans.ts";
import { RAW_TIME, type RawOptions, tiffRaw } from "../support/raw-photos.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { freshName, uploadResumably } from "../support/uploads.ts";

const encoder = await openEncoder();
afterAll(() => encoder.close());
const server = await testServer({}, undefined, { jobs: true, ffmpeg: encoder.ffmpeg });
const { db, url } = server;
let ada: Owner;
let video: Buffer;
beforeAll(async () => {
  ada = await ownerOf(server, "Nonna Rosa");
  await givePlan(db, ada.userId, { plan: "skies-memories" });
  video = await liveVideo(encoder);
});

/** Creates a memory for one test, with a visitor. */
async function freshMemory() {
  const { rows } = await db.query<{ id: string; link: string }>(
    `with made as (insert into memories (user_id, person_name) values ($1, 'Nonno Aldo') returning id)
     select id, id as link from made`,
    [ada.userId],
  );
  const memoryId = rows[0]?.id ?? "";
  await db.query("update share_links set shared_at = now() where memory_id = $1", [memoryId]);
  const links = await db.query<{ id: string; version: number }>(
    "select id, version from share_links where memory_id = $1",
    [memoryId],
  );
  const link = links.rows[0];
  const visitor = await server.sign({
    role: "anon",
    aud: "anon",
    share: { link: link?.id ?? "", version: link?.version ?? 1 },
  });
  return { memoryId, visitor };
}

async function send(memoryId: string, filename: string, bytes: Buffer): Promise<string> {
  const name = freshName(memoryId, filename.split(".").at(-1));
  await uploadResumably(
    { url, token: ada.token, name, bytes },
    {
      metadata: {
        bucketName: "media",
        objectName: name,
        contentType: "application/octet-stream",
        cacheControl: "3600",
        metadata: JSON.stringify({ filename }),
      },
    },
  );
  return name;
}

const photosOf = (memoryId: string, token = ada.token): Promise<Photo[]> =>
  new QueryClient().fetchQuery(photosQuery(server.client(token), memoryId));
const motionsOf = async (memoryId: string) =>
  (await photosOf(memoryId)).map(({ type, state, motion }) => `${type} ${state} ${motion}`).sort();

async function get(token: string, path: string) {
  const reply = await fetch(`${url}/storage/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
  return {
    status: reply.status,
    type: reply.headers.get("content-type"),
    bytes: Buffer.from(await reply.arrayBuffer()),
  };
}
const motion = (token: string, name: string) => get(token, `/render/video/authenticated/media/${name}`);
const plantedIn = (bytes: Buffer) =>
  [...PLANTED, Buffer.from(PHOTO_SECRET)].filter((word) => bytes.includes(word)).map((word) => word.toString("latin1"));

/** The names of the files in the ZIP file of a memory with one item. It contains no private data for a visitor. */
async function filesFor(token: string, memoryId: string, archive = false) {
  const prepare = () =>
    fetch(`${url}/functions/v1/prepare-download`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ memoryId, archive, language: "en" }),
    });
  let prepared = await prepare();
  // Copies for a visitor are still being made.
  while (prepared.status === 202) prepared = await prepare();
  const { url: zip, files } = (await prepared.json()) as { url: string; files: number };
  const bytes = Buffer.from(await (await fetch(zip.startsWith("http") ? zip : `${url}${zip}`)).arrayBuffer());
  // Everybody may know the day.
  const planted = plantedIn(bytes).filter((word) => word !== "2019-05-04");
  expect([files, token === ada.token ? [] : planted]).toEqual([1, []]);
  const names = bytes.toString("latin1").matchAll(/Nonno Aldo\/((?:photos\/)?[\w -]+\.(?:jpe?g|webp|mov|mp4|nef))/gi);
  return [...names].map(([, name]) => name);
}

const isHeic = (photo: Buffer) => photo.toString("latin1", 4, 8) === "ftyp";

/** Long timeouts, because real encoders and jobs are slow on a busy machine. */
const PATIENT = { timeout: 300_000 };
const WAIT = { timeout: 200_000 };

describe("a Live Photo", PATIENT, () => {
  test("Spec §3: is one item that plays for a visitor without private data, and keeps its owner's files byte for byte", async () => {
    const { memoryId, visitor } = await freshMemory();
    const photo = await iphonePhoto();
    const hevc = await liveVideo(encoder, { identifier: photo.identifier, codec: "hevc" });
    // Paired by the identifier in both files, whatever their names.
    const still = await send(memoryId, `Beach.${photo.extension}`, photo.bytes);
    const moving = await send(memoryId, "IMG_0815.MOV", hevc);
    await expect.poll(() => motionsOf(memoryId), WAIT).toEqual(["image ready ready"]);

    for (const token of [visitor, ada.token]) {
      const played = await motion(token, still);
      expect([played.status, played.type, plantedIn(played.bytes)]).toEqual([200, "video/mp4", []]);
      // If ffmpeg is installed, HEVC is converted to H.264, so that every browser plays it.
      expect(await encoder.describe(played.bytes)).toMatchObject({
        pictures: [["h264", 48]],
        kinds: ["audio", "video"],
      });
    }
    expect((await get(ada.token, `/object/media/${still}`)).bytes.equals(photo.bytes)).toBe(true);
    expect((await get(ada.token, `/object/media/${moving}`)).bytes.equals(hevc)).toBe(true);
    expect((await get(visitor, `/object/media/${moving}`)).status).toBe(404);
    expect(plantedIn((await get(visitor, `/object/media/${still}`)).bytes)).toEqual([]);
    const { data: rows } = await server.client(visitor).from("media").select("id").eq("memory_id", memoryId);
    expect(rows).toHaveLength(1);
  });

  test.runIf(LONG)("is one item in any upload order, with many at once, and when the worker starts later", async () => {
    const { memoryId } = await freshMemory();
    const pairs = Array.from({ length: sized(4, 8) }, (_, n) => `IMG_12${n}`);
    const files = pairs.flatMap((stem, n) => {
      const halves: [string, Promise<Buffer>][] = [
        [`${stem}.JPG`, phonePhoto({ taken: `2019:05:04 14:33:1${n % 2}`, width: 600 + n })],
        [`${stem.toLowerCase()}.mov`, Promise.resolve(Buffer.concat([video, Buffer.from(`\0\0\0\x10skip${stem}.`)]))],
      ];
      return n % 2 ? halves : halves.reverse();
    });
    await Promise.all(files.map(async ([name, bytes]) => send(memoryId, name, await bytes)));
    await expect.poll(() => motionsOf(memoryId), WAIT).toEqual(pairs.map(() => "image ready ready"));

    const asleep = await testServer({}, undefined, {});
    const eve = await ownerOf(asleep, "Nonna Rosa");
    for (const [filename, bytes] of [
      ["IMG_7.MOV", video],
      ["IMG_7.JPG", await phonePhoto()],
    ] as const) {
      const name = freshName(eve.memoryId, filename.split(".")[1]);
      const metadata = { bucketName: "media", objectName: name, metadata: JSON.stringify({ filename }) };
      await uploadResumably({ url: asleep.url, token: eve.token, name, bytes }, { metadata });
    }
    const { files: originals, db: beside } = asleep;
    const rows = async () =>
      (
        await beside.query<{ is: string }>(
          "select concat_ws(' ', type, moderation, motion) as is from media order by 1",
        )
      ).rows.map((row) => row.is);
    expect(await rows()).toEqual(["image shown", "video shown"]);
    const jobs = jobsFor({ db: beside, files: originals, gateways: {}, site: asleep.url, log: console });
    const worker = startWorker(jobs, { db: beside, log: console });
    // Without ffmpeg, the streams are copied unchanged.
    await expect.poll(rows, WAIT).toEqual(["image shown ready", "video attached"]);
    await worker.stop();
  });

  test.runIf(LONG)(
    "of an export whose video is a second file is one item, also if the photo contains the same video",
    async () => {
      const { memoryId } = await freshMemory();
      const undated = await encoder.noise(6);
      const pixel = await MOTION_PHOTOS["a micro video"]?.(undated);
      if (!pixel) throw new Error("There is no such photo");
      await send(memoryId, "IMG_0123.JPG", await phonePhoto({ width: 720 }));
      await send(memoryId, "IMG_0123.MP4", undated);
      await send(memoryId, "PXL_20190504_1.MP.jpg", pixel);
      await send(memoryId, "PXL_20190504_1.MP", Buffer.concat([undated, Buffer.from("\0\0\0\x10skipone.....")]));
      await send(memoryId, "PXL_20190504_2.MP", Buffer.concat([undated, Buffer.from("\0\0\0\x10skiptwo.....")]));
      await send(memoryId, "PXL_20190504_2.MP.jpg", Buffer.concat([pixel, Buffer.from("second")]));
      await expect.poll(() => motionsOf(memoryId), WAIT).toEqual(Array(3).fill("image ready ready"));
    },
  );

  test.runIf(LONG)("is not made of files that merely share a name", async () => {
    const { memoryId } = await freshMemory();
    const other = await phonePhoto({ taken: "2019:05:07 09:00:00" });
    const long = await encoder.noise(24 * 8);
    await send(memoryId, "IMG_1.MOV", video);
    await send(memoryId, "IMG_1.JPG", other);
    await send(memoryId, "garden.jpg", await phonePhoto({ width: 700 }));
    await send(memoryId, "garden.mp4", long);
    await send(memoryId, "IMG_2.JPG", await phonePhoto({ identifier: "A", width: 710 }));
    await send(memoryId, "IMG_2.MOV", await liveVideo(encoder, { identifier: "B" }));
    await expect.poll(async () => (await photosOf(memoryId)).filter(({ state }) => state === "waiting")).toEqual([]);
    expect((await photosOf(memoryId)).map((photo) => photo.motion)).toEqual([null, null, null, null, null, null]);
  });

  test("is trashed, restored, moved and deleted as a whole, and keeps the comments on its video", async () => {
    const { memoryId, visitor } = await freshMemory();
    const client = server.client(ada.token);
    const moving = await send(memoryId, "IMG_3.MOV", video);
    const [alone] = await photosOf(memoryId);
    await client.from("comments").insert({ memory_id: memoryId, media_id: alone?.id, body: "How she laughs" });
    const still = await send(memoryId, "IMG_3.JPG", await phonePhoto({ taken: "2019:05:04 14:33:12" }));
    await expect.poll(() => motionsOf(memoryId), WAIT).toEqual(["image ready ready"]);
    const { data: said } = await client.from("comments").select("body,media_id").eq("memory_id", memoryId);
    expect(said).toEqual([{ body: "How she laughs", media_id: (await photosOf(memoryId))[0]?.id }]);
    const { data: use } = await client.rpc("storage_stats");
    expect(use.largest.filter((item: { memory_id: string }) => item.memory_id === memoryId)).toHaveLength(1);

    const there = async () =>
      Promise.all(
        [
          get(ada.token, `/object/media/${still}`),
          get(ada.token, `/object/media/${moving}`),
          motion(visitor, still),
        ].map(async (reading) => (await reading).status),
      );
    expect(await there()).toEqual([200, 200, 200]);
    const [photo] = await photosOf(memoryId);
    if (!photo) throw new Error("The photo is not there");
    // Deleting either file deletes the item.
    await client.storage.from("media").remove([moving]);
    expect(await there()).toEqual([404, 404, 404]);
    const { data: deleted } = await client.rpc("deleted_items", { of_memory: memoryId });
    const { rows: sizes } = await db.query<{ sum: string }>("select sum(size) from media where memory_id = $1", [
      memoryId,
    ]);
    expect(deleted).toMatchObject([{ kind: "media", id: photo.id, bytes: Number(sizes[0]?.sum) }]);
    await client.rpc("restore_deleted", { items: [{ kind: "media", id: photo.id }] });
    expect(await there()).toEqual([200, 200, 200]);
    expect(await motionsOf(memoryId)).toEqual(["image ready ready"]);

    const { memoryId: other } = await freshMemory();
    expect((await movePhotos(client, [photo], other)).remaining).toEqual([]);
    const { rows: moved } = await db.query<{ name: string }>(
      "select object_name as name from media where memory_id = $1",
      [other],
    );
    expect(moved.map(({ name }) => name).sort()).toEqual(
      [still, moving].map((name) => name.replace(memoryId, other)).sort(),
    );
    expect(await motionsOf(other)).toEqual(["image ready ready"]);

    await client.storage.from("media").remove([still.replace(memoryId, other)]);
    await client.rpc("delete_forever", { items: [{ kind: "media", id: photo.id }] });
    const { rows: remaining } = await db.query("select from storage.objects where name like $1", [`${other}/%`]);
    expect(remaining).toEqual([]);
  });

  test("is downloaded with both originals by its manager, and as copies of both by a visitor", async () => {
    const { memoryId, visitor } = await freshMemory();
    await send(memoryId, "IMG_4.JPG", await phonePhoto({ taken: "2019:05:04 14:33:12" }));
    await send(memoryId, "IMG_4.MOV", video);
    await expect.poll(() => motionsOf(memoryId), WAIT).toEqual(["image ready ready"]);
    expect(new Set(await filesFor(ada.token, memoryId))).toEqual(new Set(["IMG_4.JPG", "IMG_4.MOV"]));
    expect(new Set(await filesFor(visitor, memoryId))).toEqual(
      new Set(["2019-05-04 photo.webp", "2019-05-04 photo.mp4"]),
    );
    expect(await filesFor(visitor, memoryId, true)).toContain("photos/2019-05-04 photo.mp4");
  });
});

describe("a raw photo and the JPEG of the same shot", PATIENT, () => {
  const rawsOf = async (memoryId: string) =>
    (await photosOf(memoryId)).map(({ state, has_raw, motion }) => [state, has_raw, motion].join(" ")).sort();

  test("are one item in either order, but not two shots of one name", async () => {
    const { memoryId, visitor } = await freshMemory();
    const shot = await phonePhoto({ taken: RAW_TIME });
    const send2 = async (name: string, photo: Buffer, options: RawOptions = {}) => {
      const halves = [
        [`${name}.JPG`, photo],
        [`${name}.NEF`, await tiffRaw(options)],
      ] as const;
      for (const [file, bytes] of name.endsWith("1") ? halves : halves.toReversed()) await send(memoryId, file, bytes);
    };
    await send2("DSC_0001", shot);
    await send2("DSC_0002", await phonePhoto({ taken: RAW_TIME, width: 700 }), { make: "NIKON CORPORATION" });
    await send2("DSC_0003", await phonePhoto({ taken: "2012:07:14 17:05:09" }), { isUpright: true });
    const pairs = ["ready false ", "ready false ", "ready true ", "ready true "];
    await expect.poll(() => rawsOf(memoryId), WAIT).toEqual(pairs);
    const { data: rows } = await server.client(visitor).from("media").select("id").eq("memory_id", memoryId);
    expect(rows).toHaveLength(4);
  });

  test("are downloaded both by a manager, and deleted, restored and moved together", async () => {
    const { memoryId, visitor } = await freshMemory();
    const raw = await tiffRaw();
    const names = [
      await send(memoryId, "DSC_7.NEF", raw),
      await send(memoryId, "DSC_7.JPG", await phonePhoto({ taken: RAW_TIME })),
    ];
    await expect.poll(() => rawsOf(memoryId), WAIT).toEqual(["ready true "]);
    expect(new Set(await filesFor(ada.token, memoryId))).toEqual(new Set(["DSC_7.JPG", "DSC_7.NEF"]));
    expect(new Set(await filesFor(visitor, memoryId))).toEqual(new Set(["2012-07-14 photo.webp"]));
    expect((await get(ada.token, `/object/media/${names[0]}`)).bytes.equals(raw)).toBe(true);
    expect((await get(visitor, `/object/media/${names[0]}`)).status).toBe(404);

    const [photo] = await photosOf(memoryId);
    if (!photo) throw new Error("The photo is not there");
    const client = server.client(ada.token);
    const { memoryId: other } = await freshMemory();
    expect((await movePhotos(client, [photo], other)).remaining).toEqual([]);
    const stored = async () =>
      (await db.query("select from storage.objects where name like $1", [`${other}/%`])).rows.length;
    expect(await stored()).toBe(2);
    await client.storage.from("media").remove([photo.object_name.replace(memoryId, other)]);
    expect(await rawsOf(other)).toEqual([]);
    await client.rpc("restore_deleted", { items: [{ kind: "media", id: photo.id }] });
    expect(await rawsOf(other)).toEqual(["ready true "]);
    await client.storage.from("media").remove([photo.object_name.replace(memoryId, other)]);
    await client.rpc("delete_forever", { items: [{ kind: "media", id: photo.id }] });
    expect(await stored()).toBe(0);
  });
});

describe("a photo with a video in its own file", PATIENT, () => {
  test.each(sampled(Object.entries(MOTION_PHOTOS), 1))(
    "plays for a visitor, whose copies contain no private data: %s",
    async (_name, make) => {
      const { memoryId, visitor } = await freshMemory();
      const original = await make(await androidVideo(encoder));
      const name = await send(memoryId, `PXL_20190504_123311.MP.${isHeic(original) ? "heic" : "jpg"}`, original);
      await expect.poll(() => motionsOf(memoryId), WAIT).toEqual(["image ready ready"]);
      expect((await get(ada.token, `/object/media/${name}`)).bytes.equals(original)).toBe(true);
      const played = await motion(visitor, name);
      expect([played.status, plantedIn(played.bytes)]).toEqual([200, []]);
      expect(await encoder.describe(played.bytes)).toMatchObject({
        pictures: [["h264", 48]],
        kinds: ["audio", "video"],
      });
      const still = await get(visitor, `/object/media/${name}`);
      expect([still.status, plantedIn(still.bytes), still.bytes.includes("ftypisom")]).toEqual([200, [], false]);
    },
  );

  test("an Ultra HDR photo is a still photo, of which a visitor's copy contains no private data", async () => {
    const { memoryId, visitor } = await freshMemory();
    const name = await send(memoryId, "PXL_2.jpg", await ultraHdr());
    await expect.poll(() => motionsOf(memoryId)).toEqual(["image ready null"]);
    expect((await photosOf(memoryId))[0]).toMatchObject({ width: 640, height: 480, damaged: false });
    const copy = await get(visitor, `/object/media/${name}`);
    expect([copy.status, plantedIn(copy.bytes)]).toEqual([200, []]);
  });
});
