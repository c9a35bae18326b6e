import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { WantedDownload } from "../../shared/download.ts";
import { importZip } from "../support/account-zips.ts";
import { freshFolder } from "../support/backups.ts";
import { amrVoicemail, openSoundEncoder, SECRET_OF_SOUND, SOUNDS, wideVoicemail } from "../support/encoded-sounds.ts";
import { openEncoder, RECIPES } from "../support/encoded-videos.ts";
import { sampled } from "../support/long-tests.ts";
import { signUpWithPlan } from "../support/people.ts";
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

async function downloaded(token: string, wanted: WantedDownload): Promise<Buffer> {
  for (;;) {
    const { status, body } = await post(server, "prepare-download", wanted, { authorization: `Bearer ${token}` });
    if (status === 202) continue;
    expect(status).toBe(200);
    return Buffer.from(await (await fetch(String(body.url))).arrayBuffer());
  }
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

test.each<[what: string, name: string, type: string, make: () => Buffer | Promise<Buffer>]>([
  ["an Android voicemail in AMR", "voicemail-20220304-101112.amr", "audio/amr", amrVoicemail],
  ["a voicemail in wideband AMR", "voicemail-20220304-101112.awb", "audio/amr", wideVoicemail],
  ["an iPhone's voicemail", "voicemail-20220304-101112.m4a", "audio/mp4", () => encoder.boxedVoicemail("M4A ")],
  ["an old phone's 3GP of AMR", "REC_20220304_101112.3gp", "audio/mp4", () => encoder.boxedVoicemail("3gp4")],
])("%s is kept and plays for others", async (_what, fileName, type, make) => {
  const bytes = await make();
  const { name, row } = await settled(fileName, bytes);
  expect(row).toMatchObject({ type: "audio", mime_type: type, playback: "ready", taken_at: "2022-03-04T10:11:12" });
  expect((await fetched(ada.token, `object/media/${name}`)).bytes.equals(bytes)).toBe(true);
  const { streams } = await encoder.probe((await fetched(visitor, `object/media/${name}`)).bytes);
  expect(streams.map(({ codec_name, channels }) => [codec_name, channels])).toEqual([["aac", 1]]);
});

describe("a recording in a story", () => {
  const figure = (id: unknown) => `<figure data-media="${id}"><figcaption>In the kitchen</figcaption></figure>`;
  let bytes: Buffer;
  let name: string;
  let id: string | undefined;
  beforeAll(async () => {
    const recipe = SOUNDS.find(({ name }) => name === "New Recording 12.m4a");
    if (!recipe) throw new Error("There is no such recipe");
    bytes = await encoder.encode(recipe);
    const { name: stored, row } = await settled("Rosa sings.m4a", bytes);
    [name, id] = [stored, row?.id];
    const story = { memory_id: ada.memoryId, body: `<p>She sang.</p>${figure(id)}` };
    await server.client(ada.token).from("stories").insert(story).throwOnError();
  });

  /** The story's figure in the page of an archive, and the file that it plays. */
  async function archived(token: string) {
    const files = await unzip(await downloaded(token, { memoryId: ada.memoryId, archive: true }));
    const page = files.find(({ path }) => path.endsWith("/index.html"));
    const [, html = ""] = /<p[^>]*>She sang\.<\/p>(<figure>.*?<\/figure>)/s.exec(page?.bytes.toString() ?? "") ?? [];
    const [, source = ""] = /<audio src="([^"]+)" controls/.exec(html) ?? [];
    return { html, file: files.find(({ path }) => source && path.endsWith(`/${decodeURIComponent(source)}`))?.bytes };
  }

  test("plays in the archives of its managers and of others, and is in neither once it is hidden", async () => {
    const own = await archived(ada.token);
    expect(own.html).toMatch(/<\/audio><figcaption[^>]*>In the kitchen<\/figcaption><\/figure>$/);
    expect(own.file?.equals(bytes)).toBe(true);
    const shared = await archived(visitor);
    expect(shared.file?.equals((await fetched(visitor, `object/media/${name}`)).bytes)).toBe(true);

    const moderate = async (decision: "hidden" | "shown") =>
      server
        .client(ada.token)
        .rpc("moderate", { items: [{ kind: "media", id }], decision })
        .throwOnError();
    await moderate("hidden");
    for (const token of [ada.token, visitor])
      expect((await archived(token)).html).toMatch(/^<figure><figcaption[^>]*>In the kitchen<\/figcaption><\/figure>$/);
    await moderate("shown");
  });

  test("is in the story after an export and an import", async () => {
    const path = join(await freshFolder(), "account.zip");
    await writeFile(path, await downloaded(ada.token, { account: true }));
    const bea = await signUpWithPlan(server, "Bea");
    expect(await importZip(server, path, bea)).toMatchObject({ leftOut: [] });
    const { rows } = await db.query<{ id: string; body: string; object_name: string }>(
      `select m.id, s.body, m.object_name from stories s join media m on m.memory_id = s.memory_id
       join media_details d on d.media_id = m.id
       where s.memory_id <> $1 and s.body like '%She sang%' and d.file_name = 'Rosa sings.m4a'`,
      [ada.memoryId],
    );
    expect(rows.map(({ body }) => body)).toEqual([`<p>She sang.</p>${figure(rows[0]?.id)}`]);
    expect((await fetched(bea.token, `object/media/${rows[0]?.object_name}`)).bytes.equals(bytes)).toBe(true);
  });
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
