import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { memoryPictures } from "../../server/emails/memory-picture.ts";
import type { DownloadReady } from "../../shared/download.ts";
import { editKey } from "../../shared/edit-key.ts";
import type { PhotoEdit } from "../../shared/photo-edit.ts";
import { importZip } from "../support/account-zips.ts";
import { freshFolder } from "../support/backups.ts";
import { signUpWithPlan } from "../support/people.ts";
import { givePlan } from "../support/plans.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf, post } from "../support/sharing.ts";
import { freshName } from "../support/uploads.ts";
import { unzip } from "../support/zip.ts";

const server = await testServer({}, undefined, { jobs: true });
const { db, files, url } = server;
let ada: Owner;
let visitor: string;
beforeAll(async () => {
  ada = await ownerOf(server, "Nonna Rosa");
  await givePlan(db, ada.userId, { plan: "skies-memories" });
  const { rows } = await db.query<{ version: number }>("select version from share_links where id = $1", [ada.linkId]);
  visitor = await server.sign({ role: "anon", aud: "anon", share: { link: ada.linkId, version: rows[0]?.version } });
});

const SECRET = "Leica of Ada";
const RIGHT: PhotoEdit = { turn: 90, straighten: 0, crop: [0, 0, 1, 1] };
/** The right half: all blue. */
const BLUE: PhotoEdit = { turn: 0, straighten: 0, crop: [0.5, 0, 0.5, 1] };

let photos = 0;
/** A picture whose left half is red and right half blue, with a device in its EXIF data. No two have the same bytes. */
const redAndBlue = () =>
  sharp({ create: { width: 600 + 2 * photos++, height: 400, channels: 3, background: "#d01010" } })
    .composite([
      {
        input: { create: { width: 300 + photos, height: 400, channels: 3, background: "#1010d0" } },
        gravity: "east",
      },
    ])
    .withExif({ IFD0: { Model: SECRET } })
    .jpeg()
    .toBuffer();

interface Photo {
  id: string;
  name: string;
  bytes: Buffer;
}
let photo: Photo;
beforeEach(async () => {
  const bytes = await redAndBlue();
  const name = freshName(ada.memoryId, "jpg");
  const metadata = { filename: `Photo ${photos}.jpg` };
  const { error } = await server.client(ada.token).storage.from("media").upload(name, bytes, { metadata });
  if (error) throw error;
  const { rows } = await db.query<{ id: string }>("select id from media where object_name = $1", [name]);
  photo = { id: rows[0]?.id ?? "", name, bytes };
  await eventually(async () => expect((await rowOf()).state).toBe("ready"));
});

const eventually = (work: () => Promise<void>) => vi.waitFor(work, { timeout: 180_000 });
const rowOf = async (id = photo.id) =>
  (
    await db.query<{ state: string; width: number; height: number; placeholder: string; colour: string }>(
      "select state, width, height, placeholder, colour, edit from media where id = $1",
      [id],
    )
  ).rows[0] ?? expect.fail("There is no such photo");
const edit = (value: PhotoEdit | null) =>
  server.client(ada.token).from("media").update({ edit: value }).eq("id", photo.id).throwOnError();

const fetched = async (token: string, path: string, headers: Record<string, string> = {}) => {
  const reply = await fetch(`${url}/storage/v1/${path}`, { headers: { authorization: `Bearer ${token}`, ...headers } });
  return { status: reply.status, etag: reply.headers.get("etag") ?? "", bytes: Buffer.from(await reply.arrayBuffer()) };
};
const rendition = (token: string, query = "width=320", headers = {}) =>
  fetched(token, `render/image/authenticated/media/${photo.name}?${query}`, headers);

/** Which colours a picture has at its left, right, top and bottom edges, and whether it is higher than wide. */
async function look(bytes: Buffer) {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const place = (Math.floor(y * (info.height - 1)) * info.width + Math.floor(x * (info.width - 1))) * info.channels;
    return (data[place] ?? 0) > (data[place + 2] ?? 0) ? "red" : "blue";
  };
  return [at(0.05, 0.5), at(0.95, 0.5), at(0.5, 0.05), at(0.5, 0.95), info.height > info.width ? "high" : "wide"].join(
    " ",
  );
}
const AS_TAKEN = expect.stringMatching(/^red blue .* wide$/);
/** After a turn to the right, the left half is above. */
const TURNED = expect.stringMatching(/red blue high$/);
const ALL_BLUE = expect.stringMatching(/^blue blue blue blue/);

describe("an edited photo", () => {
  test("Spec §3: is shown so to everybody at once, in each size, and its original is unchanged", async () => {
    const before = await rendition(visitor);
    expect(await look(before.bytes)).toEqual(AS_TAKEN);
    await edit(RIGHT);
    expect(await rowOf()).toMatchObject({ width: 400, height: 598 + 2 * photos });
    for (const token of [ada.token, visitor]) {
      for (const width of [320, 640, 960, 1600, 2560]) {
        expect(await look((await rendition(token, `width=${width}`)).bytes)).toEqual(TURNED);
        const avif = await rendition(token, `width=${width}`, { accept: "image/avif" });
        expect(await look(avif.bytes)).toEqual(TURNED);
        expect(avif.bytes.includes(SECRET)).toBe(false);
      }
    }
    expect((await fetched(ada.token, `object/media/${photo.name}`)).bytes.equals(photo.bytes)).toBe(true);
    const copy = await fetched(visitor, `object/media/${photo.name}?download=photo.jpg`);
    expect(await look(copy.bytes)).toEqual(TURNED);
    expect(copy.bytes.includes(SECRET)).toBe(false);
    await edit(null);
    const after = await rendition(visitor);
    expect([after.etag, after.bytes.equals(before.bytes)]).toEqual([before.etag, true]);
    expect(await rowOf()).toMatchObject({ height: 400 });
  });

  test("is not answered from a browser's copy of another edit", async () => {
    const { etag } = await rendition(visitor);
    expect((await rendition(visitor, "width=320", { "if-none-match": etag })).status).toBe(304);
    await edit(RIGHT);
    const turned = await rendition(visitor, `width=320&edit=${editKey(RIGHT)}`, { "if-none-match": etag });
    expect([turned.status, turned.etag === etag]).toEqual([200, false]);
    expect(await look(turned.bytes)).toEqual(TURNED);
    await edit({ ...RIGHT, turn: 270 });
    expect((await rendition(visitor, "width=320", { "if-none-match": turned.etag })).status).toBe(200);
  });

  test("Spec §7: shows nobody what was cut off, whichever edit their URL names", async () => {
    await edit(BLUE);
    for (const query of ["width=320", "width=1600", `width=320&edit=`, `width=320&edit=${editKey(RIGHT)}`]) {
      expect(await look((await rendition(visitor, query)).bytes)).toEqual(ALL_BLUE);
    }
    for (const path of ["", "?shown", "?shown=1&download=x.jpg", "?edit="]) {
      expect(await look((await fetched(visitor, `object/media/${photo.name}${path}`)).bytes)).toEqual(ALL_BLUE);
    }
  });

  test("Spec §3: is saved by its owner as it is shown, or as its original", async () => {
    await edit(RIGHT);
    const shown = await fetched(ada.token, `object/media/${photo.name}?shown&download=photo.jpg`);
    expect(await look(shown.bytes)).toEqual(TURNED);
    const original = await fetched(ada.token, `object/media/${photo.name}?download=photo.jpg`);
    expect(original.bytes.equals(photo.bytes)).toBe(true);
    await edit(null);
    const unedited = await fetched(ada.token, `object/media/${photo.name}?shown&download=photo.jpg`);
    expect(unedited.bytes.equals(photo.bytes)).toBe(true);
  });

  test("Spec §3: is shown as taken only to those who may have its original, so that they can edit it again", async () => {
    await edit(BLUE);
    expect(await look((await rendition(ada.token, "width=640&unedited=1")).bytes)).toEqual(AS_TAKEN);
    expect(await look((await rendition(visitor, "width=640&unedited=1")).bytes)).toEqual(ALL_BLUE);
    expect(await look((await rendition(ada.token, "width=640")).bytes)).toEqual(ALL_BLUE);
  });

  test("gets its blurred placeholder and colour, and only the copies of its last edit stay", async () => {
    const before = await rowOf();
    await edit(RIGHT);
    await rendition(visitor, "width=1600");
    await edit(BLUE);
    await rendition(visitor, "width=1600");
    await eventually(async () => expect((await rowOf()).placeholder).not.toBe(before.placeholder));
    const { placeholder, colour } = await rowOf();
    expect(await look(Buffer.from(placeholder.split(",")[1] ?? "", "base64"))).toEqual(ALL_BLUE);
    expect(Number.parseInt(colour.slice(5), 16)).toBeGreaterThan(128);
    const { rows } = await db.query<{ version: string }>("select version from storage.objects where id = $1", [
      photo.id,
    ]);
    const version = rows[0]?.version ?? "";
    await eventually(async () =>
      expect(await files.copies.size(version, `edit-${editKey(RIGHT)}-1600.webp`)).toBeUndefined(),
    );
    expect(await files.copies.size(version, `edit-${editKey(BLUE)}-1600.webp`)).toBeGreaterThan(0);
    expect(await files.copies.size(version, "640.avif")).toBeGreaterThan(0);
    await edit(null);
    await eventually(async () => expect((await rowOf()).placeholder).toBe(before.placeholder));
  });

  test("that is edited again and again while its copies are made ends with its last edit", async () => {
    const edits = [RIGHT, { ...RIGHT, turn: 180 as const }, null, { ...RIGHT, turn: 270 as const }, BLUE];
    await Promise.all(
      edits.map(async (value) => {
        await edit(value);
        const reply = await rendition(visitor, `width=640&edit=${editKey(value)}`);
        expect(reply.status).toBe(200);
      }),
    );
    await edit(BLUE);
    expect(await look((await rendition(visitor, "width=640")).bytes)).toEqual(ALL_BLUE);
    await eventually(async () => {
      const { rows } = await db.query("select from private.work where subject = $1", [photo.id]);
      expect(rows).toEqual([]);
    });
    expect(await look(Buffer.from((await rowOf()).placeholder.split(",")[1] ?? "", "base64"))).toEqual(ALL_BLUE);
  });

  test("is made ready in its last edit if it was edited before it was read", async () => {
    await edit(BLUE);
    await db.query(
      "update media set state = 'waiting', width = null, height = null, placeholder = null where id = $1",
      [photo.id],
    );
    await eventually(async () => expect((await rowOf()).state).toBe("ready"));
    const { placeholder, width, height } = await rowOf();
    expect(await look(Buffer.from(placeholder.split(",")[1] ?? "", "base64"))).toEqual(ALL_BLUE);
    expect([width, height]).toEqual([299 + photos, 400]);
  });

  test("Spec §7: is so in emails, in link previews and as an icon", async () => {
    await server.client(ada.token).rpc("set_cover", { media_id: photo.id }).throwOnError();
    await edit(BLUE);
    const pictures = memoryPictures({ db, files });
    const reader = { role: "authenticated", sub: ada.userId } as const;
    for (const picture of [
      await pictures.seenBy(reader, ada.memoryId),
      await pictures.preview(reader, ada.memoryId),
      await pictures.icon(reader, ada.memoryId),
    ]) {
      expect(await look(picture ?? Buffer.alloc(0))).toEqual(ALL_BLUE);
    }
  });
});

async function downloaded(token: string, request: object): Promise<Buffer> {
  for (;;) {
    const { status, body } = await post(server, "prepare-download", request, { authorization: `Bearer ${token}` });
    if (status === 202) continue;
    return Buffer.from(await (await fetch((body as unknown as DownloadReady).url)).arrayBuffer());
  }
}

describe("the ZIP file of an edited photo", () => {
  test("Spec §3: has the original for its owner, and shows it edited on the archive's pages", async () => {
    const request = { mediaIds: [photo.id], archive: true, language: "en" };
    await downloaded(ada.token, request);
    await edit(BLUE);
    const entries = await unzip(await downloaded(ada.token, request));
    const inFolder = (folder: string) => entries.filter(({ path }) => path.includes(`/${folder}/`));
    expect(inFolder("photos").map(({ bytes }) => bytes.equals(photo.bytes))).toEqual([true]);
    for (const folder of ["thumbnails", "large"]) {
      const [picture] = inFolder(folder);
      expect(await look(picture?.bytes ?? Buffer.alloc(0))).toEqual(ALL_BLUE);
    }
    const page = entries.find(({ path }) => path.endsWith("index.html"))?.bytes.toString() ?? "";
    expect(page).toContain('href="large/');
  });

  test("Spec §7: has only the edited photo for others, also right after an earlier one", async () => {
    for (const archive of [false, true]) {
      await edit(null);
      const request = { mediaIds: [photo.id], archive, language: "en" };
      await downloaded(visitor, request);
      await edit(BLUE);
      const entries = await unzip(await downloaded(visitor, request));
      const pictures = entries.filter(({ path }) => /\.(webp|jpe?g)$/.test(path));
      expect(pictures.length).toBeGreaterThan(0);
      for (const { bytes } of pictures) expect(await look(bytes)).toEqual(ALL_BLUE);
    }
  });

  test("Spec §3: of a whole account brings the edit to where it is imported, with the original byte for byte", async () => {
    const value: PhotoEdit = { turn: 90, straighten: -3.5, crop: [0.1, 0.1, 0.8, 0.8] };
    await edit(value);
    const path = join(await freshFolder(), "account.zip");
    await writeFile(path, await downloaded(ada.token, { account: true }));
    const bea = await signUpWithPlan(server, "Bea");
    expect(await importZip(server, path, bea)).toMatchObject({ leftOut: [] });
    const { rows } = await db.query<{ id: string; object_name: string }>(
      `select m.id, m.object_name from media m join media_details d on d.media_id = m.id join memories y on y.id = m.memory_id
       where d.file_name = $1 and y.user_id = (select id from auth.users where email = $2)`,
      [`Photo ${photos}.jpg`, bea.email],
    );
    const [imported] = rows;
    await eventually(async () => expect((await rowOf(imported?.id)).state).toBe("ready"));
    const { width, height } = await rowOf();
    expect(await rowOf(imported?.id)).toMatchObject({ width, height, edit: { ...value, of: [598 + 2 * photos, 400] } });
    const { data } = await bea.client.storage.from("media").download(imported?.object_name ?? "");
    expect(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(photo.bytes)).toBe(true);
  });
});
