import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { amrVoicemail, openSoundEncoder, SECRET_OF_SOUND, SOUNDS } from "../support/encoded-sounds.ts";
import { openEncoder, RECIPES } from "../support/encoded-videos.ts";
import { sampled } from "../support/long-tests.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf, post } from "../support/sharing.ts";
import { freshName } from "../support/uploads.ts";
import { unzip } from "../support/zip.ts";

const encoder = await openSoundEncoder();
const videos = await openEncoder();
afterAll(async () => {
  await encoder.close();
  await videos.close();
});
const server = await testServer({}, undefined, { jobs: true, ffmpeg: encoder.ffmpeg });
const { db, url } = server;
let ada: Owner;
let visitor: string;
beforeAll(async () => {
  ada = await ownerOf(server, "Nonna Rosa");
  visitor = await server.sign({ role: "anon", aud: "anon", share: { link: ada.linkId, version: 1 } });
});

interface Row {
  id: string;
  type: string;
  mime_type: string;
  state: string;
  duration: number | null;
  peaks: string | null;
  taken_at: string | null;
  playback: string | null;
  visitor_copy: string | null;
}

const rowOf = async (name: string) => {
  const { rows } = await db.query<Row>(
    `select m.id, m.type, d.mime_type, m.state, m.duration, m.peaks, d.taken_at, m.playback, m.visitor_copy
     from media m join media_details d on d.media_id = m.id where object_name = $1`,
    [name],
  );
  return rows[0];
};

/** Stores a file under a name that a phone gave it, and waits until its copy is made. */
async function settled(fileName: string, bytes: Buffer) {
  const name = freshName(ada.memoryId, "bin");
  const bucket = server.client(ada.token).storage.from("media");
  const { error } = await bucket.upload(name, bytes, { metadata: { filename: fileName } });
  if (error) throw error;
  const isDone = async () => {
    const row = await rowOf(name);
    expect(row?.playback).toMatch(/ready|unneeded|failed/);
    expect(row?.visitor_copy).toMatch(/ready|failed/);
  };
  await vi.waitFor(isDone, { timeout: 180_000 });
  return { name, row: await rowOf(name) };
}

const fetched = async (token: string, path: string) => {
  const reply = await fetch(`${url}/storage/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
};

describe.each(sampled(SOUNDS, 4))("$what", (recipe) => {
  let bytes: Buffer;
  let name: string;
  let row: Row | undefined;
  beforeAll(async () => {
    bytes = await encoder.encode(recipe);
    ({ name, row } = await settled(recipe.name, bytes));
  });

  test("is kept, dated and drawn", async () => {
    expect(row).toMatchObject({
      type: "audio",
      mime_type: recipe.type,
      state: "ready",
      taken_at: recipe.taken,
      visitor_copy: "ready",
    });
    expect(row?.duration).toBeGreaterThan(2.5);
    expect(row?.duration).toBeLessThan(3.5);
    // Loud, silent, loud.
    expect(row?.peaks).toMatch(/^[0-9a-z]{40,240}$/);
    const third = Math.floor((row?.peaks ?? "").length / 3);
    expect(row?.peaks?.slice(third + 4, 2 * third - 4)).toMatch(/^0+$/);
    expect(row?.peaks?.slice(0, third - 4)).toMatch(/^[s-z]+$/);
    expect((await fetched(ada.token, `object/media/${name}`)).bytes.equals(bytes)).toBe(true);
  });

  test("plays as AAC for others, without what its tags tell", async () => {
    const shared = await fetched(visitor, `object/media/${name}?download=${encodeURIComponent(recipe.name)}`);
    expect([shared.status, shared.headers.get("content-type")]).toEqual([200, "audio/mp4"]);
    expect(shared.headers.get("content-disposition")).toContain(".m4a");
    const { streams, format } = await encoder.probe(shared.bytes);
    expect(streams.map(({ codec_type, codec_name }) => [codec_type, codec_name])).toEqual([["audio", "aac"]]);
    expect(Number(format.duration)).toBeGreaterThan(2.8);
    expect(shared.bytes.includes(SECRET_OF_SOUND)).toBe(false);
    expect(JSON.stringify(format.tags ?? {})).not.toMatch(/artist|title|date|Lavf|location/i);
    const played = await fetched(visitor, `render/video/authenticated/media/${name}`);
    if (row?.playback === "ready") expect(played.headers.get("content-type")).toBe("audio/mp4");
    else expect(played.status).toBe(404);
  });
});

test("an Android voicemail in AMR is kept and plays for others", async () => {
  const bytes = amrVoicemail();
  const { name, row } = await settled("voicemail-20220304-101112.amr", bytes);
  expect(row).toMatchObject({
    type: "audio",
    mime_type: "audio/amr",
    playback: "ready",
    taken_at: "2022-03-04T10:11:12",
  });
  expect((await fetched(ada.token, `object/media/${name}`)).bytes.equals(bytes)).toBe(true);
  const { streams } = await encoder.probe((await fetched(visitor, `object/media/${name}`)).bytes);
  expect(streams.map(({ codec_name, channels }) => [codec_name, channels])).toEqual([["aac", 1]]);
});

test("a recording in a story is heard in the archives of its managers and of others", async () => {
  const recipe = SOUNDS.find(({ name }) => name === "New Recording 12.m4a");
  if (!recipe) throw new Error("There is no such recipe");
  const { row } = await settled("Rosa sings.m4a", await encoder.encode(recipe));
  const body = `<p>She sang.</p><figure data-media="${row?.id}"><figcaption>In the kitchen</figcaption></figure>`;
  const stories = server.client(ada.token).from("stories");
  const { id } = (await stories.insert({ memory_id: ada.memoryId, body }).select("id").single().throwOnError()).data;
  for (const [token, path] of [
    [ada.token, "recordings/Rosa%20sings.m4a"],
    [visitor, "recordings/recording.m4a"],
  ] as const) {
    const wanted = { memoryId: ada.memoryId, archive: true };
    const prepare = () => post(server, "prepare-download", wanted, { authorization: `Bearer ${token}` });
    let prepared = await prepare();
    while (prepared.status === 202) prepared = await prepare();
    const zip = Buffer.from(await (await fetch(String(prepared.body.url))).arrayBuffer());
    const page = (await unzip(zip)).find((file) => file.path.endsWith("/index.html"))?.bytes.toString() ?? "";
    expect(page).toMatch(
      new RegExp(
        `<figure><audio src="${path}" controls[^>]*></audio><figcaption[^>]*>In the kitchen</figcaption></figure>`,
      ),
    );
  }
  await stories.delete().eq("id", id).throwOnError();
});

test.each(["mp4 of h264 with aac", "webm of vp9 with opus", "mov of h264 with pcm"])(
  "%s stays a video",
  async (label) => {
    const recipe = RECIPES.find(({ name }) => name === label);
    if (!recipe) throw new Error("There is no such recipe");
    const { row } = await settled("holiday.m4a", await videos.encode(recipe));
    expect(row?.type).toBe("video");
  },
);

test("recordings are counted beside photos and videos, and cannot be a cover", async () => {
  const { rows } = await db.query<{ audio: number; counted: number; id: string }>(
    `select count(*)::integer as audio, (select sum(recordings)::integer from private.media_sums where memory_id = $1) as counted,
       min(id::text) as id from media where memory_id = $1 and type = 'audio'`,
    [ada.memoryId],
  );
  expect(rows[0]?.counted).toBe(rows[0]?.audio);
  const reply = await fetch(`${url}/rest/v1/rpc/set_cover`, {
    method: "POST",
    headers: { authorization: `Bearer ${ada.token}`, "content-type": "application/json" },
    body: JSON.stringify({ media_id: rows[0]?.id }),
  });
  expect(reply.status).toBe(404);
});
