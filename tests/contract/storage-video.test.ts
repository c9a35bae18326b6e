import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openEncoder, PLANTED, RECIPES } from "../support/encoded-videos.ts";
import { givePlan } from "../support/plans.ts";
import { privateMovie, SECRET } from "../support/private-movie.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { freshName, jpeg, resumable, uploadResumably } from "../support/uploads.ts";

const server = await testServer({}, undefined, { jobs: true });
const { db, url } = server;
const encoder = await openEncoder();
afterAll(() => encoder.close());
let ada: Owner;
let bob: Owner;
let visitor: string;
beforeAll(async () => {
  ada = await ownerOf(server, "Nonna Rosa");
  bob = await ownerOf(server, "Somebody else");
  visitor = await server.sign({ role: "anon", aud: "anon", share: { link: ada.linkId, version: 1 } });
});

async function stored(video: Buffer, ending: string): Promise<string> {
  const name = freshName(ada.memoryId, ending);
  await uploadResumably({ url, token: ada.token, name, bytes: video });
  return name;
}

interface Row {
  type: string;
  state: string;
  width: number | null;
  height: number | null;
  duration: number | null;
  taken_at: string | null;
  poster_name: string | null;
  placeholder: string | null;
}
const rowOf = async (name: string) => {
  const { rows } = await db.query<Row>(
    "select m.*, d.* from media m join media_details d on d.media_id = m.id where object_name = $1",
    [name],
  );
  return rows[0];
};

const ask = async (token: string, path: string, headers: Record<string, string> = {}, method = "GET") => {
  const reply = await fetch(`${url}/storage/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
};

describe.each([
  ["an MP4", "mp4 turned by 90", { width: 108, height: 192, taken_at: "2019-05-04T13:33:11" }],
  ["a QuickTime movie", "mov of h264 with pcm", { width: 192, height: 108, taken_at: "2019-05-04T13:33:11" }],
  ["an old phone's 3GP", "3gp of h264 with aac", { width: 192, height: 108 }],
  ["a WebM", "webm of vp9 with opus", { width: 192, height: 108, taken_at: null }],
])("%s", (_what, recipeName, facts) => {
  let video: Buffer;
  let name: string;
  beforeAll(async () => {
    const recipe = RECIPES.find((candidate) => candidate.name === recipeName);
    if (!recipe) throw new Error(`There is no recipe ${recipeName}`);
    video = await encoder.encode(recipe);
    name = await stored(video, recipe.extension);
  });

  test("has the size, duration and date that a player shows", async () => {
    const row = await rowOf(name);
    expect(row).toMatchObject({ type: "video", state: "ready", ...facts });
    expect(row?.duration).toBeCloseTo(2, 0);
  });

  test("is sent to its owner byte for byte, and to a visitor without private metadata", async () => {
    expect((await ask(ada.token, `/object/media/${name}`)).bytes.equals(video)).toBe(true);
    const copy = await ask(visitor, `/object/media/${name}`);
    expect([copy.status, PLANTED.some((word) => copy.bytes.includes(word))]).toEqual([200, false]);
    const { data } = await server.client(visitor).storage.from("media").createSignedUrl(name, 60);
    const signed = await fetch(data?.signedUrl ?? "");
    expect(Buffer.from(await signed.arrayBuffer()).equals(copy.bytes)).toBe(true);
  });

  test("is sent in ranges that match the whole copy", async () => {
    const whole = await ask(visitor, `/object/media/${name}`);
    const etag = whole.headers.get("etag") ?? "";
    const { length } = whole.bytes;
    for (const [start, end] of [
      [0, 99],
      [37, 200],
      [length - 90, length - 1],
    ] as const) {
      const part = await ask(visitor, `/object/media/${name}`, { range: `bytes=${start}-${end}`, "if-range": etag });
      expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes ${start}-${end}/${length}`]);
      expect(part.bytes.equals(whole.bytes.subarray(start, end + 1))).toBe(true);
    }
    // The ETags differ, so the original in the owner's browser cache is never used as part of the copy.
    expect(etag).not.toBe((await ask(ada.token, `/object/media/${name}`, {}, "HEAD")).headers.get("etag"));
    const head = await ask(visitor, `/object/media/${name}`, {}, "HEAD");
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(length)]);
  });

  test("has no copy that plays everywhere until one is made", async () => {
    expect((await ask(ada.token, `/render/video/authenticated/media/${name}`)).status).toBe(404);
  });
});

test("an unreadable video is sent only to its owner", async () => {
  const video = Buffer.concat([privateMovie().subarray(0, 40), Buffer.from(SECRET)]);
  const name = await stored(video, "mp4");
  expect(await rowOf(name)).toMatchObject({ type: "video", state: "ready", width: null, duration: null });
  expect((await ask(ada.token, `/object/media/${name}`)).bytes.equals(video)).toBe(true);
  const refused = await ask(visitor, `/object/media/${name}`);
  expect([refused.status, refused.bytes.includes(SECRET)]).toEqual([422, false]);
  expect(JSON.parse(refused.bytes.toString())).toMatchObject({ error: "unreadable_video" });
});

test("Spec §5: a photo of more than 50 MB is too large, and a video is not", async () => {
  const begin = (type: string, ending: string, megabytes: number) => {
    const bytes = Buffer.alloc(0);
    const metadata = { bucketName: "media", objectName: freshName(ada.memoryId, ending), contentType: type };
    const target = { url, token: ada.token, name: metadata.objectName, bytes };
    return new Promise<string>((resolve) => {
      const { upload, done } = resumable(target, {
        metadata,
        uploadSize: megabytes * 1024 ** 2,
        onUploadUrlAvailable() {
          resolve("begun");
          void upload.abort(true);
        },
      });
      done.then(
        () => resolve("sent"),
        (error: Error) => resolve(error.message),
      );
      upload.start();
    });
  };
  expect(await begin("image/jpeg", "jpg", 51)).toMatch(/413.*too_large: File is too large/s);
  expect(await begin("video/mp4", "mp4", 51)).toBe("begun");
  expect(await begin("video/mp4", "mp4", 2049)).toMatch(/413.*too_large/s);
});

describe("a poster", () => {
  const posters = (token: string) => server.client(token).storage.from("posters");
  let name: string;
  beforeAll(async () => {
    name = await stored(privateMovie(), "mp4");
  });

  test("can be uploaded only by a manager, and only under the video's name", async () => {
    const poster = await jpeg();
    expect((await posters(bob.token).upload(`${name}.jpg`, poster)).error).toMatchObject({ status: 403 });
    expect((await posters(visitor).upload(`${name}.jpg`, poster)).error).toMatchObject({ status: 403 });
    for (const wrong of [`${name}.png`, name, `x/${name}.jpg`, `${freshName(ada.memoryId, "mp4")}.jpg`]) {
      expect((await posters(ada.token).upload(wrong, poster)).error, wrong).toMatchObject({ status: 403 });
    }
    expect((await posters(ada.token).upload(`${name}.jpg`, privateMovie())).error).toMatchObject({ status: 415 });
    expect((await posters(ada.token).upload(`${name}.jpg`, poster)).error).toBeNull();
  });

  test("gives the video its colour and placeholder, and not its size", async () => {
    await expect.poll(async () => (await rowOf(name))?.placeholder).toMatch(/^data:image/);
    expect(await rowOf(name)).toMatchObject({ state: "ready", poster_name: `${name}.jpg`, width: 64, height: 48 });
  });

  test("can be seen by everyone who can see the video", async () => {
    const path = `/render/image/authenticated/posters/${name}.jpg?width=320`;
    expect((await ask(visitor, path)).status).toBe(200);
    expect((await ask(bob.token, path)).status).toBe(404);
    const { data } = await posters(visitor).createSignedUrl(`${name}.jpg`, 60, { transform: { width: 320 } });
    expect((await fetch(data?.signedUrl ?? "")).status).toBe(200);
  });

  test("that is broken leaves the video as it was", async () => {
    const other = await stored(privateMovie(), "mp4");
    const broken = (await jpeg()).subarray(0, 60);
    expect((await posters(ada.token).upload(`${other}.jpg`, broken)).error).toBeNull();
    await expect.poll(async () => await rowOf(other)).toMatchObject({ state: "ready", poster_name: null });
  });

  test("can be moved with its video, but not to another person's memory", async () => {
    await givePlan(db, ada.userId);
    const client = server.client(ada.token);
    const { data } = await client.from("memories").insert({ person_name: "Nonno" }).select("id").single();
    const moved = name.replace(ada.memoryId, String(data?.id));
    expect((await client.storage.from("media").move(name, moved)).error).toBeNull();
    expect((await posters(ada.token).move(`${name}.jpg`, `${moved}.jpg`)).error).toBeNull();
    expect((await posters(ada.token).move(`${moved}.jpg`, `${bob.memoryId}/x.mp4.jpg`)).error).not.toBeNull();
    expect(await rowOf(moved)).toMatchObject({ poster_name: `${moved}.jpg` });
    name = moved;
  });

  test("is deleted with its video, and the video stays if only the poster is deleted", async () => {
    const count = async () => (await db.query("select from storage.objects where bucket_id = 'posters'")).rows.length;
    const other = await stored(privateMovie(), "mp4");
    await posters(ada.token).upload(`${other}.jpg`, await jpeg());
    await posters(ada.token).remove([`${other}.jpg`]);
    expect(await rowOf(other)).toMatchObject({ poster_name: null });
    const before = await count();
    await server.client(ada.token).storage.from("media").remove([name]);
    await server.client(ada.token).rpc("empty_trash").throwOnError();
    expect(await count()).toBe(before - 1);
  });
});
