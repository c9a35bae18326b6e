import { beforeAll, expect, test } from "vitest";
import type { Files } from "../../server/files/files.ts";
import { jobsFor } from "../../server/jobs/jobs.ts";
import type { Job } from "../../server/jobs/worker.ts";
import { openEncoder, RECIPES } from "../support/encoded-videos.ts";
import { never, runOnce } from "../support/jobs.ts";
import { LONG } from "../support/long-tests.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { freshName, uploadResumably } from "../support/uploads.ts";

const server = await testServer();
const { db, url, files } = server;
const films: Record<string, Buffer> = {};
let ada: Owner;
let ffmpeg: Awaited<ReturnType<typeof openEncoder>>["ffmpeg"];
beforeAll(async () => {
  ada = await ownerOf(server, "Nonna Rosa");
  const encoder = await openEncoder();
  ffmpeg = encoder.ffmpeg;
  for (const name of ["mp4 of h264 with aac", "avi of M-JPEG with PCM"]) {
    const recipe = RECIPES.find((candidate) => candidate.name === name);
    if (recipe) films[recipe.extension] = await encoder.encode(recipe);
  }
  await encoder.close();
});

/** Stores a video as if it had this length and arrived so many seconds ago; resolves to its id. */
async function store(extension: "mp4" | "avi", seconds: number, age = 0): Promise<string> {
  const name = freshName(ada.memoryId, extension);
  await uploadResumably({ url, token: ada.token, name, bytes: films[extension] ?? Buffer.alloc(0) });
  const { rows } = await db.query<{ id: string }>(
    `update media set duration = $2, created_at = now() - make_interval(secs => $3) where object_name = $1 returning id`,
    [name, seconds, age],
  );
  return rows[0]?.id ?? "";
}

function jobOf(name: string, stores: Files = files): Job {
  const jobs = jobsFor({ db, files: stores, gateways: {}, site: url, ffmpeg, log: console });
  const job = jobs.find((candidate) => candidate.name === name);
  if (!job) throw new Error(`There is no job ${name}`);
  return job;
}

const playbackOf = async (id: string) =>
  (await db.query<{ playback: string | null }>("select playback from media where id = $1", [id])).rows[0]?.playback;

/** The stores, with a list of the videos whose copies are begun. */
function watched(begun: (version: string) => Promise<void>): Files {
  return {
    ...files,
    videos: {
      ...files.videos,
      async streams(video, urgent) {
        await begun(video.version);
        return files.videos.streams(video, urgent);
      },
    },
  };
}

const idOf = async (version: string) =>
  (await db.query<{ id: string }>("select id from storage.objects where version = $1", [version])).rows[0]?.id ?? "";

test.runIf(LONG)("short videos come first, and a long one waits at most its own length longer", async () => {
  const long = await store("mp4", 900);
  const short = await store("mp4", 20);
  const aged = await store("mp4", 900, 3600);
  const order: string[] = [];
  await runOnce(
    jobOf(
      "video-copies",
      watched(async (version) => void order.push(await idOf(version))),
    ),
  );
  expect(order).toEqual([aged, short, long]);
});

test("a short video does not wait while the copy of a long one is made", async () => {
  const long = await store("mp4", 900, 7200);
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const job = jobOf(
    "video-copies",
    watched(async (version) => ((await idOf(version)) === long ? gate : undefined)),
  );
  const first = job.run(never);
  await expect
    .poll(async () => (await db.query("select from private.work where claim is not null")).rows.length)
    .toBe(1);
  const short = await store("mp4", 20);
  // The run that another of the process's turns begins.
  await job.run(never);
  expect(await playbackOf(short)).toBe("unneeded");
  expect(await playbackOf(long)).toBe("waiting");
  open();
  await first;
  expect(await playbackOf(long)).toBe("unneeded");
});

test("the poster of a video that no browser plays is there before its copy", async () => {
  const id = await store("avi", 900);
  await runOnce(jobOf("video-posters"));
  const { rows } = await db.query<{ poster_name: string | null; playback: string | null }>(
    "select poster_name, playback from media where id = $1",
    [id],
  );
  expect(rows).toMatchObject([{ poster_name: expect.stringMatching(/\.jpg$/), playback: null }]);
});
