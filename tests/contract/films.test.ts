import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { filmsJob } from "../../server/jobs/films/film-job.ts";
import { deleteExpiredFilms } from "../../server/jobs/films/film-rows.ts";
import { openEncoder } from "../support/encoded-videos.ts";
import { runOnce } from "../support/jobs.ts";
import { SECRET } from "../support/private-movie.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { freshName, uploadResumably } from "../support/uploads.ts";

const run = promisify(execFile);
const encoder = await openEncoder();
const { ffmpeg } = encoder;
afterAll(() => encoder.close());

const server = await testServer({}, undefined, { jobs: true, ffmpeg });
const { db, files, url } = server;
const quiet = { warn: () => {}, error: () => {} };
let folder: string;
let ada: Owner;
let photos: string[];
let song: string;

const add = async (ending: string, bytes: Buffer) => {
  const name = freshName(ada.memoryId, ending);
  await uploadResumably({ url, token: ada.token, name, bytes });
  const { rows } = await db.query<{ id: string }>("select id from media where object_name = $1", [name]);
  return rows[0]?.id ?? "";
};
/** A photo of one colour, with a place and a serial number in its file. */
const photoOf = (background: string) =>
  sharp({ create: { width: 640, height: 480, channels: 3, background } })
    .jpeg()
    .withExif({
      IFD0: { Make: SECRET, Copyright: SECRET },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "45/1 27/1 0/1" },
    })
    .toBuffer();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skies-films-"));
  ada = await ownerOf(server, "Nonna Rosa");
  photos = [await add("jpg", await photoOf("#c00000")), await add("jpg", await photoOf("#0000c0"))];
  const path = join(folder, "song.mp3");
  const tone = ["-f", "lavfi", "-i", "sine=f=440:d=2", "-metadata", `artist=${SECRET}`];
  await run(ffmpeg.ffmpeg, ["-v", "error", "-y", ...tone, "-c:a", "libmp3lame", path]);
  song = await add("mp3", await readFile(path));
  const isReady = () => db.query("select from media where state = 'ready' and (type = 'image' or playback = 'ready')");
  await vi.waitFor(async () => expect((await isReady()).rows).toHaveLength(3), { timeout: 180_000, interval: 200 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let slideshow: string;
beforeEach(async () => {
  await db.query("delete from slideshows");
  const { rows } = await db.query<{ id: string }>(
    `insert into slideshows (memory_id, title, pace, music_id, music_is_allowed) values ($1, 'Her years', 3, $2, true) returning id`,
    [ada.memoryId, song],
  );
  slideshow = rows[0]?.id ?? "";
  await db.query(
    "insert into slideshow_items (slideshow_id, media_id, position) select $1, id, place from unnest($2::uuid[]) with ordinality as p (id, place)",
    [slideshow, photos],
  );
});

interface FilmRow {
  state: string;
  failure: string | null;
  object_name: string | null;
  progress: number | null;
}
const film = async () =>
  (
    await db.query<FilmRow>(
      "select state, failure, object_name, progress from slideshow_films where slideshow_id = $1",
      [slideshow],
    )
  ).rows[0];
/** Requests a film without notifying the job of the server, so that only a job of this test makes it. */
const wait = async (attempts = 0) => {
  await db.query("delete from slideshow_films");
  await db.transaction(async (tx) => {
    await tx.exec("set local session_replication_role = 'replica'");
    await tx.query("insert into slideshow_films (slideshow_id, memory_id) values ($1, $2)", [slideshow, ada.memoryId]);
    await tx.query("insert into private.work (kind, subject, attempts) values ('films', $1, $2)", [
      slideshow,
      attempts,
    ]);
  });
};
const make = (changes: Partial<Parameters<typeof filmsJob>[0]> = {}) =>
  runOnce(filmsJob({ db, files, ffmpeg, log: quiet, ...changes }));
const objects = async () => (await db.query("select from storage.objects where bucket_id = 'films'")).rows.length;
const rpc = (name: string, token: string) =>
  fetch(`${url}/rest/v1/rpc/${name}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, apikey: token, "content-type": "application/json" },
    body: JSON.stringify({ slideshow }),
  });

test("a manager's film plays everywhere, has the photos in their order and the music, and says nothing of files", async () => {
  expect((await rpc("request_film", ada.token)).status).toBe(204);
  await expect.poll(async () => (await film())?.state, { timeout: 240_000 }).toBe("ready");
  const name = (await film())?.object_name ?? "";
  const path = join(folder, "film.mp4");
  const reply = await fetch(`${url}/storage/v1/object/authenticated/films/${name}`, {
    headers: { authorization: `Bearer ${ada.token}` },
  });
  const bytes = Buffer.from(await reply.arrayBuffer());
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "video/mp4"]);
  await writeFile(path, bytes);
  for (const secret of [SECRET, "x264", "Lavf", "GPS"]) expect(bytes.includes(secret)).toBe(false);
  // The table of contents comes first, so that it plays before it has loaded.
  expect(bytes.indexOf("moov")).toBeLessThan(bytes.indexOf("mdat"));
  const { stdout } = await run(ffmpeg.ffprobe, ["-v", "error", "-of", "json", "-show_streams", "-show_format", path]);
  const { streams, format } = JSON.parse(stdout);
  expect(streams).toMatchObject([
    { codec_name: "h264", width: 1920, height: 1080, pix_fmt: "yuv420p", has_b_frames: 0, nb_frames: "150" },
    { codec_name: "aac", channels: 2, sample_rate: "48000" },
  ]);
  expect(Number(format.duration)).toBeCloseTo(6, 1);
  const colourAt = async (seconds: number) => {
    const still = ["-v", "error", "-y", "-ss", `${seconds}`, "-i", path, "-frames:v", "1", join(folder, "still.png")];
    await run(ffmpeg.ffmpeg, still);
    const { data } = await sharp(join(folder, "still.png"))
      .extract({ left: 960, top: 400, width: 1, height: 1 })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return [...data].map((value) => Math.round(value / 64));
  };
  expect([await colourAt(2), await colourAt(5)]).toEqual([
    [3, 0, 0],
    [0, 0, 3],
  ]);
  // A loop of the music lasts as long as the pictures, and becomes silent at the end.
  const { stderr } = await run(ffmpeg.ffmpeg, [
    "-hide_banner",
    "-ss",
    "2",
    "-t",
    "1",
    "-i",
    path,
    "-af",
    "volumedetect",
    "-f",
    "null",
    "-",
  ]);
  expect(Number(stderr.match(/mean_volume: (-?[\d.]+)/)?.[1])).toBeGreaterThan(-40);

  // Nobody else may fetch it, and it goes with the photo that is hidden.
  const visitor = await server.sign({ role: "anon", aud: "anon", share: { link: ada.linkId, version: 1 } });
  for (const token of [
    visitor,
    await server.sign({ role: "authenticated", aud: "authenticated", sub: crypto.randomUUID() }),
  ]) {
    const refused = await fetch(`${url}/storage/v1/object/authenticated/films/${name}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(refused.ok).toBe(false);
  }
  await db.query("update media set moderation = 'hidden' where id = $1", [photos[0]]);
  expect([(await film())?.state, await objects()]).toEqual(["withdrawn", 0]);
  await db.query("update media set moderation = 'shown' where id = $1", [photos[0]]);
});

describe("a film that is not made", () => {
  test("says why: without ffmpeg, without photos, and after three attempts that ended its process", async () => {
    await wait();
    await make({ ffmpeg: undefined });
    expect(await film()).toMatchObject({ state: "failed", failure: "unavailable" });
    await wait(3);
    await make();
    expect(await film()).toMatchObject({ state: "failed", failure: "failed" });
    await db.query("delete from slideshow_items");
    await wait();
    await make();
    expect(await film()).toMatchObject({ state: "failed", failure: "empty" });
    expect((await db.query("select from private.work where kind = 'films'")).rows).toEqual([]);
  });

  test("stores nothing if it was cancelled or a photo was hidden in the meantime", async () => {
    for (const [state, end] of [
      [undefined, () => rpc("discard_film", ada.token)],
      ["withdrawn", () => db.query("update media set moderation = 'hidden' where id = $1", [photos[1]])],
    ] as const) {
      await wait();
      const shared: typeof files.videos.shared = async (...args) => {
        await end();
        return files.videos.shared(...args);
      };
      await make({ files: { ...files, videos: { ...files.videos, shared } } });
      expect([(await film())?.state, await objects()]).toEqual([state, 0]);
      expect((await db.query("select from private.work where kind = 'films'")).rows).toEqual([]);
      await db.query("update media set moderation = 'shown' where id = $1", [photos[1]]);
    }
  });
});

test("films end after their time, and files of films that a killed process left are deleted", async () => {
  const stored = `${ada.memoryId}/old.mp4`;
  for (const name of [stored, `${ada.memoryId}/stray.mp4`]) {
    await db.query(
      `insert into storage.objects (bucket_id, name, version, metadata, created_at)
       values ('films', $1, gen_random_uuid()::text, '{"mimetype": "video/mp4", "size": 1}', now() - interval '2 hours')`,
      [name],
    );
  }
  await db.query(
    `insert into slideshow_films (slideshow_id, memory_id, state, object_name, expires_at)
     values ($1, $2, 'ready', $3, now() + interval '1 day')`,
    [slideshow, ada.memoryId, stored],
  );
  await deleteExpiredFilms(db);
  expect([await objects(), (await film())?.state]).toEqual([1, "ready"]);
  await db.query("update slideshow_films set expires_at = now() - interval '1 s'");
  await deleteExpiredFilms(db);
  expect([await objects(), await film()]).toEqual([0, undefined]);
});
