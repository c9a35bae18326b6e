import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { corpusFiles } from "../support/corpus.ts";
import { openEncoder, PLANTED, RECIPES, type VideoRecipe } from "../support/encoded-videos.ts";
import { sampled } from "../support/long-tests.ts";
import { givePlan } from "../support/plans.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { freshName, uploadResumably } from "../support/uploads.ts";

const encoder = await openEncoder();
const plain = await testServer({}, undefined, { jobs: true });
const realVideos = corpusFiles("encoded", "videos");
afterAll(() => encoder.close());

const readable = RECIPES.filter(({ needsFfmpeg }) => !needsFfmpeg);
const strange = RECIPES.filter(({ needsFfmpeg }) => needsFfmpeg);

interface World {
  url: string;
  ada: Owner;
  visitor: string;
}

async function worldOf(server: typeof plain): Promise<World> {
  const ada = await ownerOf(server, "Nonna Rosa");
  await givePlan(server.db, ada.userId, { plan: "skies-memories" });
  const visitor = await server.sign({ role: "anon", aud: "anon", share: { link: ada.linkId, version: 1 } });
  return { url: server.url, ada, visitor };
}

async function store({ url, ada }: World, extension: string, bytes: Buffer): Promise<string> {
  const name = freshName(ada.memoryId, extension);
  await uploadResumably({ url, token: ada.token, name, bytes });
  return name;
}

async function get(url: string, token?: string, headers: Record<string, string> = {}) {
  const reply = await fetch(url, { headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers } });
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
}

const plantedIn = (bytes: Buffer) =>
  PLANTED.filter((word) => bytes.includes(word)).map((word) => word.toString("latin1"));

/** Checks ranges at the beginning, in the middle, at the end and beyond it, as players request them. */
async function expectRanges(address: string, token: string, whole: Buffer, etag: string) {
  const { length } = whole;
  for (const [start, end] of [
    [0, 0],
    [0, 65_535],
    [Math.floor(length / 2), Math.floor(length / 2) + 999],
    [length - 100, length + 1000],
  ] as const) {
    const part = await get(address, token, { range: `bytes=${start}-${end}`, "if-range": etag });
    const last = Math.min(end, length - 1);
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes ${start}-${last}/${length}`]);
    expect(part.bytes.equals(whole.subarray(start, end + 1))).toBe(true);
  }
}

describe("a video as phones and programs encode it", () => {
  let world: World;
  beforeAll(async () => {
    world = await worldOf(plain);
  });

  test.each(sampled(readable, 3).map((recipe) => [recipe.name, recipe] as const))(
    "plays for a visitor without private data, and is its owner's byte for byte: %s",
    async (_name, recipe) => {
      const original = await encoder.encode(recipe);
      expect(plantedIn(original).length).toBeGreaterThan(2);
      const name = await store(world, recipe.extension, original);
      const address = `${world.url}/storage/v1/object/media/${name}`;
      expect((await get(address, world.ada.token)).bytes.equals(original)).toBe(true);

      const copy = await get(address, world.visitor);
      expect([copy.status, plantedIn(copy.bytes)]).toEqual([200, []]);
      await expectRanges(address, world.visitor, copy.bytes, copy.headers.get("etag") ?? "");
      await expectSameStreams(original, copy.bytes, recipe);

      const files = plain.client(world.visitor).storage.from("media");
      const downloaded = await files.download(name);
      expect(Buffer.from((await downloaded.data?.arrayBuffer()) ?? new ArrayBuffer()).equals(copy.bytes)).toBe(true);
      const { data } = await files.createSignedUrl(name, 60);
      expect((await get(data?.signedUrl ?? "")).bytes.equals(copy.bytes)).toBe(true);
    },
  );

  test.runIf(realVideos.available).each(realVideos.files)(
    "of the corpus plays for a visitor: %s",
    async (_name, path) => {
      const original = await readFile(path);
      const name = await store(world, extname(path).slice(1), original);
      const address = `${world.url}/storage/v1/object/media/${name}`;
      expect((await get(address, world.ada.token)).bytes.equals(original)).toBe(true);
      const copy = await get(address, world.visitor);
      expect(copy.status).toBe(200);
      for (const word of ["51.5007", "iPhone", "Apple", "2024-07-14"]) expect(copy.bytes.includes(word)).toBe(false);
      await expectRanges(address, world.visitor, copy.bytes, copy.headers.get("etag") ?? "");
      await expectSameStreams(original, copy.bytes);
    },
  );

  test.each(sampled(strange, 2).map((recipe) => [recipe.name, recipe] as const))(
    "is kept for its owner if no copy can be made of it: %s",
    async (_name, recipe) => {
      const original = await encoder.encode(recipe);
      const name = await store(world, recipe.extension, original);
      const address = `${world.url}/storage/v1/object/media/${name}`;
      expect((await get(address, world.ada.token)).bytes.equals(original)).toBe(true);
      const refused = await get(address, world.visitor);
      expect([refused.status, plantedIn(refused.bytes)]).toEqual([422, []]);
      expect(JSON.parse(refused.bytes.toString())).toMatchObject({ error: "unreadable_video" });
      // By this state, a visitor's page knows in advance that there is no copy, and requests nothing.
      const copyOf = async () =>
        (await plain.client(world.visitor).from("media").select("state,visitor_copy").eq("object_name", name)).data;
      await expect.poll(copyOf).toEqual([{ state: "ready", visitor_copy: "failed" }]);
    },
  );

  test("has its visitors' copy soon after its upload, before anybody asks", async () => {
    const recipe = readable.find(({ name }) => name === "mp4 of h264 with aac");
    const name = await store(world, "mp4", await encoder.encode(recipe ?? fail()));
    const waiting = async () => {
      const { rows } = await plain.db.query<{ version: string; waits: boolean }>(
        `select o.version, exists (select from private.work w where w.subject = o.id and w.kind = 'video-streams') as waits
         from storage.objects o where o.name = $1`,
        [name],
      );
      return rows[0];
    };
    await expect.poll(async () => (await waiting())?.waits).toBe(false);
    const folder = join(plain.dataDir, "storage/renditions", (await waiting())?.version ?? "");
    expect(readdirSync(folder)).toEqual(["streams.mp4"]);
  });
});

describe("with ffmpeg", () => {
  let world: World;
  let server: typeof plain;
  beforeAll(async () => {
    server = await testServer({}, undefined, { jobs: true, ffmpeg: encoder.ffmpeg });
    world = await worldOf(server);
  });

  const playbackOf = async (name: string) => {
    const { rows } = await server.db.query<{ playback: string; duration: number; width: number; poster_name: string }>(
      "select playback, duration, width, poster_name from media where object_name = $1",
      [name],
    );
    return rows[0];
  };

  test.each(sampled(strange, 1).map((recipe) => [recipe.name, recipe] as const))(
    "a camcorder's video gets a copy that plays everywhere, and a poster: %s",
    async (_name, recipe) => {
      const original = await encoder.encode(recipe);
      const name = await store(world, recipe.extension, original);
      await expect
        .poll(async () => (await playbackOf(name))?.playback, { timeout: 180_000 })
        .toMatch(/ready|unneeded|failed/);
      const row = await playbackOf(name);
      expect(row).toMatchObject({ playback: "ready", width: 192, poster_name: `${name}.jpg` });
      expect(row?.duration).toBeCloseTo(2, 0);

      const address = `${world.url}/storage/v1/object/media/${name}`;
      const copy = await get(address, world.visitor);
      expect([copy.status, copy.headers.get("content-type"), plantedIn(copy.bytes)]).toEqual([200, "video/mp4", []]);
      await expectRanges(address, world.visitor, copy.bytes, copy.headers.get("etag") ?? "");
      const { pictures, sounds, duration } = await encoder.describe(copy.bytes);
      expect([pictures[0]?.[0], sounds.map(([codec]) => codec)]).toEqual(["h264", ["aac"]]);
      expect(duration).toBeGreaterThan(1.8);
      expect((await get(address, world.ada.token)).bytes.equals(original)).toBe(true);
    },
  );
});

/**
 * Checks that the copy has every packet of the original's pictures and sounds and nothing else, and decodes to its end.
 */
async function expectSameStreams(original: Buffer, copy: Buffer, recipe?: VideoRecipe) {
  const [before, after] = [await encoder.describe(original), await encoder.describe(copy)];
  expect([after.pictures, after.sounds]).toEqual([before.pictures, before.sounds]);
  expect(after.kinds.filter((kind) => kind !== "audio" && kind !== "video")).toEqual([]);
  // The duration of a single picture is that of its container, and the copy has another container.
  const lasts = before.pictures.some(([, count]) => Number(count) > 1);
  if (lasts) expect(Math.abs(after.duration - before.duration)).toBeLessThan(0.1);
  if (recipe) expect(after.sounds).toHaveLength(recipe.sounds);
  expect(await encoder.complaints(copy)).toBe(await encoder.complaints(original));
}

const fail = (): never => {
  throw new Error("There is no such recipe");
};
