import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { jobsFor } from "../../server/jobs/jobs.ts";
import type { Ffmpeg } from "../../server/jobs/video/ffmpeg.ts";
import { startWorker } from "../../server/jobs/worker.ts";
import { withoutTables } from "../support/broken-videos.ts";
import { type Encoder, openEncoder, RECIPES } from "../support/encoded-videos.ts";
import { sampled } from "../support/long-tests.ts";
import { SECRET } from "../support/private-movie.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { freshName, uploadResumably } from "../support/uploads.ts";

const run = promisify(execFile);
const encoder = await openEncoder();
afterAll(() => encoder.close());

describe("with ffmpeg", () => proofs(encoder.ffmpeg, encoder));

async function proofs(ffmpeg: Ffmpeg, encoder: Encoder) {
  const server = await testServer({}, undefined, { jobs: true, ffmpeg });
  const { db, url, files } = server;
  let folder: string;
  let ada: Owner;
  let visitor: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "skies-video-"));
    ada = await ownerOf(server, "Nonna Rosa");
    visitor = await server.sign({ role: "anon", aud: "anon", share: { link: ada.linkId, version: 1 } });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Makes a test picture of one second with a tone, 480 by 270, with these options of ffmpeg. */
  async function made(name: string, ...options: string[]): Promise<Buffer> {
    const inputs = ["-f", "lavfi", "-i", "testsrc2=s=480x270:d=1:r=20", "-f", "lavfi", "-i", "sine=d=1"];
    const metadata = ["-metadata", `title=${SECRET}`, "-metadata", "location=+45.4642+009.1900/"];
    await run(ffmpeg.ffmpeg, ["-v", "error", "-y", ...inputs, ...options, ...metadata, join(folder, name)]);
    return readFile(join(folder, name));
  }

  /** Stores a video and waits until its processing has a result. */
  async function settled(ending: string, bytes: Buffer) {
    const name = freshName(ada.memoryId, ending);
    await uploadResumably({ url, token: ada.token, name, bytes });
    const find = async () => {
      const { rows } = await db.query<{ playback: string | null; poster_name: string | null; state: string }>(
        "select playback, poster_name, state, visitor_copy from media where object_name = $1",
        [name],
      );
      return rows[0];
    };
    await expect.poll(async () => (await find())?.playback, { timeout: 180_000 }).toMatch(/ready|unneeded|failed/);
    return { name, row: await find() };
  }

  const playable = (token: string, name: string, headers = {}) =>
    fetch(`${url}/storage/v1/render/video/authenticated/media/${name}`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
  const probed = async (bytes: Buffer) => {
    await writeFile(join(folder, "copy.mp4"), bytes);
    const { stdout } = await run(ffmpeg.ffprobe, [
      "-v",
      "error",
      "-show_streams",
      "-show_format",
      "-of",
      "json",
      join(folder, "copy.mp4"),
    ]);
    return JSON.parse(stdout) as { streams: Record<string, unknown>[]; format: { tags?: Record<string, string> } };
  };

  test("a phone's HEVC video gets an H.264 copy, and its HEVC streams stay available to a visitor", async () => {
    const recipe = RECIPES.find(({ name }) => name === "mp4 of hevc with aac");
    if (!recipe) throw new Error("There is no such recipe");
    const { name, row } = await settled("mp4", await encoder.encode(recipe));
    expect(row).toMatchObject({ playback: "ready", poster_name: `${name}.jpg` });
    const rendition = await encoder.describe(Buffer.from(await (await playable(visitor, name)).arrayBuffer()));
    expect([rendition.pictures, rendition.sounds[0]?.[0]]).toEqual([[["h264", 48]], "aac"]);
    const shared = await fetch(`${url}/storage/v1/object/media/${name}`, {
      headers: { authorization: `Bearer ${visitor}` },
    });
    const streams = await encoder.describe(Buffer.from(await shared.arrayBuffer()));
    expect(streams.pictures).toEqual([["hevc", 48]]);
  });

  test("a rotated MPEG-4 video gets an upright, playable copy without private data, and a poster", async () => {
    const lying = await made("lying.mov", "-c:v", "mpeg4", "-c:a", "pcm_s16le");
    await run(ffmpeg.ffmpeg, [
      "-v",
      "error",
      "-y",
      "-i",
      join(folder, "lying.mov"),
      "-c",
      "copy",
      "-metadata:s:v",
      "rotate=90",
      join(folder, "turned.mov"),
    ]);
    const { name, row } = await settled("mov", await readFile(join(folder, "turned.mov")));
    expect(lying.length).toBeGreaterThan(0);
    expect(row).toMatchObject({ playback: "ready", poster_name: `${name}.jpg` });

    const copy = Buffer.from(await (await playable(visitor, name)).arrayBuffer());
    const { streams, format } = await probed(copy);
    expect(streams).toMatchObject([
      { codec_name: "h264", pix_fmt: "yuv420p", width: 270, height: 480 },
      { codec_name: "aac" },
    ]);
    expect(JSON.stringify(format)).not.toMatch(/SECRET|45\.4642|title|location/);
    expect(copy.includes(SECRET)).toBe(false);
    // The file begins with its index, so that it plays before it has been downloaded completely.
    expect(copy.indexOf("moov")).toBeLessThan(copy.indexOf("mdat"));

    const part = await playable(visitor, name, { range: "bytes=10-19" });
    expect([part.status, part.headers.get("content-type")]).toEqual([206, "video/mp4"]);
    expect(Buffer.from(await part.arrayBuffer()).equals(copy.subarray(10, 20))).toBe(true);
    expect((await playable(server.keys.publishable, name)).status).toBe(404);
    await db.query("update share_links set revoked_at = now() where id = $1", [ada.linkId]);
    expect((await playable(visitor, name)).status).toBe(404);
    await db.query("update share_links set revoked_at = null where id = $1", [ada.linkId]);
  });

  test("a video that plays everywhere gets no copy", async () => {
    const video = await made("plain.mp4", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac");
    const { name, row } = await settled("mp4", video);
    expect(row?.playback).toBe("unneeded");
    expect((await playable(ada.token, name)).status).toBe(404);
  });

  test("a video that cannot be shown is sent only to managers, byte for byte", async () => {
    const recipe = RECIPES.find((candidate) => candidate.name === "mov of h264 with aac");
    if (!recipe) throw new Error("There is no such recipe");
    const lost = withoutTables(await encoder.encode(recipe));
    const { name, row } = await settled("mov", lost);
    expect(row).toMatchObject({ playback: "failed", poster_name: null, state: "broken", visitor_copy: "failed" });
    expect((await playable(ada.token, name)).status).toBe(404);
    const [original, refused] = await Promise.all(
      [ada.token, visitor].map((token) =>
        fetch(`${url}/storage/v1/object/media/${name}`, { headers: { authorization: `Bearer ${token}` } }),
      ),
    );
    expect(Buffer.from((await original?.arrayBuffer()) ?? new ArrayBuffer()).equals(lost)).toBe(true);
    expect(refused?.status).toBe(404);
    const { data } = await server.client(visitor).from("media").select("id").eq("object_name", name);
    expect(data).toEqual([]);
  });

  test("a video whose processing has crashed too often is given up, and others are completed", async () => {
    const { rows } = await db.query<{ id: string }>(
      "select id from media where playback <> 'failed' order by created_at",
    );
    for (const [index, { id }] of rows.entries()) {
      await db.query(
        `with crashed as (insert into private.work (kind, subject, attempts) values ('video-copies', $1, $2))
         update media set playback = 'making', playback_progress = 0.5 where id = $1`,
        [id, index === 0 ? 3 : 1],
      );
    }
    const jobs = jobsFor({ db, files, gateways: {}, site: server.url, ffmpeg, log: console });
    const worker = startWorker(jobs, { db, log: console });
    const outcome = async () =>
      (
        await db.query<{ playback: string }>("select playback from media where id = any ($1) order by created_at", [
          rows.map(({ id }) => id),
        ])
      ).rows.map(({ playback }) => playback);
    await expect.poll(outcome).toEqual(["failed", "ready", "unneeded"]);
    await worker.stop();
  });

  // Some seconds times the milliseconds that ffmpeg may take for each are no whole number, which timers refuse.
  test.each(
    sampled(
      [
        ["21 s with 29.97 pictures a second", "mov", 21, ["-r", "30000/1001", "-video_track_timescale", "600"]],
        ["90 s with 23.976 pictures a second", "mp4", 90, ["-r", "24000/1001", "-video_track_timescale", "90000"]],
        ["600 s of a variable rate", "mov", 600, ["-vf", "select='not(between(mod(n,7),2,4))'", "-fps_mode", "vfr"]],
      ] as const,
      1,
    ),
  )("a long video gets a copy: %s", async (_name, ending, seconds, options) => {
    const path = join(folder, `long.${ending}`);
    const inputs = ["-f", "lavfi", "-i", `testsrc=s=48x32:r=${seconds > 100 ? 3 : 30}:d=${seconds + 1 / 30}`];
    await run(ffmpeg.ffmpeg, [
      "-v",
      "error",
      "-y",
      ...inputs,
      ...options,
      "-c:v",
      "libx265",
      "-preset",
      "ultrafast",
      path,
    ]);
    const { name, row } = await settled(ending, await readFile(path));
    expect(row?.playback).toBe("ready");
    const copy = await encoder.describe(Buffer.from(await (await playable(ada.token, name)).arrayBuffer()));
    expect(Math.abs(copy.duration - seconds)).toBeLessThan(1);
  });
}
