import { beforeAll, describe, expect, test } from "vitest";
import type { Files } from "../../server/files/files.ts";
import { jobsFor } from "../../server/jobs/jobs.ts";
import { openEncoder, RECIPES } from "../support/encoded-videos.ts";
import { runOnce } from "../support/jobs.ts";
import { phonePhoto } from "../support/live-photos.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { staffMember } from "../support/staff.ts";
import { freshName, uploadResumably } from "../support/uploads.ts";

const server = await testServer();
const { db, url, files } = server;
let ada: Owner;
let admin: Awaited<ReturnType<typeof staffMember>>;
let film: Buffer;
let ffmpeg: Awaited<ReturnType<typeof openEncoder>>["ffmpeg"];
beforeAll(async () => {
  ada = await ownerOf(server, "Nonna Rosa");
  admin = await staffMember(server, "admin");
  const encoder = await openEncoder();
  ffmpeg = encoder.ffmpeg;
  const recipe = RECIPES.find(({ name }) => name === "mp4 of h264 with aac");
  film = recipe ? await encoder.encode(recipe) : Buffer.alloc(0);
  await encoder.close();
});

/** Stores a file and resolves to its id. */
async function store(extension: "jpg" | "mp4"): Promise<string> {
  const name = freshName(ada.memoryId, extension);
  const bytes = extension === "mp4" ? film : await phonePhoto();
  await uploadResumably({ url, token: ada.token, name, bytes });
  const { rows } = await db.query<{ id: string }>("select id from media where object_name = $1", [name]);
  return rows[0]?.id ?? "";
}

/** The stores, with one function that fails. */
const failing = (error: () => Error): Files => {
  const fail = async () => Promise.reject(error());
  return {
    ...files,
    objects: { ...files.objects, local: fail },
    renditions: { ...files.renditions, prepare: fail },
    videos: { ...files.videos, streams: fail, partPath: fail },
  };
};

/** Runs a job, with these stores, as if every pause had passed. */
async function runLater(name: string, stores: Files): Promise<void> {
  const jobs = jobsFor({ db, files: stores, gateways: {}, site: url, ffmpeg, log: { warn() {}, error() {} } });
  const job = jobs.find((candidate) => candidate.name === name);
  if (!job) throw new Error(`There is no job ${name}`);
  await db.query("update private.work set due_at = '-infinity'");
  await runOnce(job);
}

const ugly = () => new RangeError('The value of "delay" is out of range. It must be an integer. Received 630999.99');
const failureOf = async (id: string) =>
  (
    await db.query<{ same: number; failures: number; over: boolean; reason: string }>(
      "select same, failures, given_up_at is not null as over, reason from private.file_failures where object_id = $1",
      [id],
    )
  ).rows;

describe.each([
  {
    job: "photos",
    extension: "jpg",
    column: "state",
    waits: "waiting",
    ends: "broken",
    makes: "ready",
  },
  {
    job: "video-streams",
    extension: "mp4",
    column: "visitor_copy",
    waits: "waiting",
    ends: "waiting",
    makes: "ready",
  },
  {
    job: "video-copies",
    extension: "mp4",
    column: "playback",
    waits: "waiting",
    ends: "failed",
    makes: "unneeded",
  },
  {
    job: "motions",
    extension: "jpg",
    column: "motion",
    waits: "waiting",
    ends: "failed",
    makes: "failed",
  },
] as const)("the job $job", ({ job, extension, column, waits, ends, makes }) => {
  const stateOf = async (id: string) =>
    (await db.query<{ value: string }>(`select ${column} as value from media where id = $1`, [id])).rows[0]?.value;

  test("gives up a file for which it failed three times in the same way, and an administrator can try again", async () => {
    const id = await store(extension);
    if (job === "motions") await db.query("update media set motion = 'waiting' where id = $1", [id]);
    for (const failures of [1, 2]) {
      await runLater(job, failing(ugly));
      expect(await failureOf(id)).toMatchObject([{ same: failures, failures, over: false }]);
      expect(await stateOf(id)).toBe(waits);
    }
    await runLater(job, failing(ugly));
    expect(await failureOf(id)).toMatchObject([
      { failures: 3, over: true, reason: expect.stringContaining("RangeError") },
    ]);
    expect(await stateOf(id)).toBe(ends);
    // Nothing is left in the queue.
    const waitingRows = await db.query("select from private.work where subject = $1 and kind = $2", [id, job]);
    expect(waitingRows.rows).toEqual([]);

    const { data } = await admin.client.rpc("desk_file_failures").throwOnError();
    expect(data).toMatchObject({ files: expect.arrayContaining([expect.objectContaining({ object_id: id, job })]) });
    expect(JSON.stringify(data)).not.toContain(ada.memoryId);
    await admin.client.rpc("retry_file", { object: id, job }).throwOnError();
    expect(await stateOf(id)).toBe("waiting");
    if (job !== "motions") await runLater(job, files);
    if (job !== "motions") expect([await stateOf(id), await failureOf(id)]).toEqual([makes, []]);
    await db.query("delete from storage.objects where id = $1", [id]);
  });

  test("waits for the end of an outage, for days but not for ever", async () => {
    const id = await store(extension);
    if (job === "motions") await db.query("update media set motion = 'waiting' where id = $1", [id]);
    const full = () => Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    for (let attempt = 0; attempt < 5; attempt++) await runLater(job, failing(full));
    expect(await failureOf(id)).toMatchObject([{ failures: 5, over: false }]);
    expect(await stateOf(id)).toBe("waiting");
    await db.query(
      "update private.file_failures set first_failed_at = now() - interval '73 hours' where object_id = $1",
      [id],
    );
    await runLater(job, failing(full));
    expect([await stateOf(id), (await failureOf(id))[0]?.over]).toEqual([ends, true]);
    await db.query("delete from storage.objects where id = $1", [id]);
  });
});
