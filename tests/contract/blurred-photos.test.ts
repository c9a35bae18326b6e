import sharp from "sharp";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { memoryPictures } from "../../server/emails/memory-picture.ts";
import type { DownloadReady } from "../../shared/download.ts";
import type { PhotoEdit } from "../../shared/photo-edit.ts";
import { signUp } from "../support/people.ts";
import { givePlan } from "../support/plans.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf, post } from "../support/sharing.ts";
import { freshName } from "../support/uploads.ts";
import { unzip } from "../support/zip.ts";

const server = await testServer({}, undefined, { jobs: true });
const { db, files, url } = server;
let ada: Owner;
let visitor: string;
let member: string;
let adder: string;
beforeAll(async () => {
  ada = await ownerOf(server, "Nonna Rosa");
  await givePlan(db, ada.userId, { plan: "skies-memories" });
  const { rows } = await db.query<{ version: number }>("select version from share_links where id = $1", [ada.linkId]);
  visitor = await server.sign({ role: "anon", aud: "anon", share: { link: ada.linkId, version: rows[0]?.version } });
  const join = async (name: string) => {
    const { token, id } = await signUp(server, name);
    await db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, 'contributor')", [
      ada.memoryId,
      id,
    ]);
    return token;
  };
  member = await join("Bea");
  adder = await join("Ugo");
});

const EDIT: PhotoEdit = { turn: 0, straighten: 0, crop: [0, 0, 1, 1] };
/** The left half has a face: a white square on black. */
const BLURRED: PhotoEdit = { ...EDIT, blur: [[0, 0, 0.5, 1]] };

let photos = 0;
const face = async () =>
  sharp({ create: { width: 640 + 2 * photos++, height: 480, channels: 3, background: "#000" } })
    .composite([
      {
        input: await sharp({ create: { width: 40, height: 40, channels: 3, background: "#fff" } })
          .png()
          .toBuffer(),
        left: 140,
        top: 220,
      },
      {
        input: await sharp({ create: { width: 40, height: 40, channels: 3, background: "#fff" } })
          .png()
          .toBuffer(),
        left: 460,
        top: 220,
      },
    ])
    .jpeg({ quality: 95 })
    .toBuffer();

interface Photo {
  id: string;
  name: string;
  bytes: Buffer;
}
let photo: Photo;
beforeEach(async () => {
  const bytes = await face();
  const name = freshName(ada.memoryId, "jpg");
  const { error } = await server.client(adder).storage.from("media").upload(name, bytes);
  if (error) throw error;
  const { rows } = await db.query<{ id: string }>("select id from media where object_name = $1", [name]);
  photo = { id: rows[0]?.id ?? "", name, bytes };
  await eventually(async () => expect((await rowOf()).state).toBe("ready"));
});

const eventually = (work: () => Promise<void>) => vi.waitFor(work, { timeout: 180_000 });
const rowOf = async () =>
  (
    await db.query<{ state: string; placeholder: string | null }>(
      "select state, placeholder from media where id = $1",
      [photo.id],
    )
  ).rows[0] ?? expect.fail("There is no such photo");
const edit = (value: PhotoEdit | null) =>
  server.client(ada.token).from("media").update({ edit: value }).eq("id", photo.id).throwOnError();

const fetched = async (token: string, path: string, headers: Record<string, string> = {}) => {
  const reply = await fetch(`${url}/storage/v1/${path}`, { headers: { authorization: `Bearer ${token}`, ...headers } });
  return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()) };
};

/** How bright the brightest pixel of the left and of the right half is. */
async function look(bytes: Buffer) {
  const { width, height } = await sharp(bytes).metadata();
  const half = async (left: number) =>
    (
      await sharp(
        await sharp(bytes)
          .extract({ left, top: 0, width: Math.floor(width / 2), height })
          .png()
          .toBuffer(),
      )
        .greyscale()
        .stats()
    ).channels[0]?.max ?? 255;
  const [left, right] = [await half(0), await half(Math.ceil(width / 2))];
  return `${left > 130 ? "seen" : "hidden"} ${right > 130 ? "seen" : "hidden"}`;
}
const AS_TAKEN = "seen seen";
const HIDDEN = "hidden seen";

const RENDITIONS = ["width=320", "width=640", "width=960", "width=1600", "width=2560"].flatMap((size) =>
  ["", "&unedited=1", "&shown=1", "&edit=", "&edit=90_0_0_0_1_1", "&page=1"].map((more) => `${size}${more}`),
);
const WHOLE = ["", "?shown", "?shown=1&download=x.jpg", "?download", "?edit=", "?unedited=1", "?width=320"];

describe("Spec §7: a blurred photo", () => {
  test("has no copy for others that shows the part, by whichever route and parameters they ask", async () => {
    expect(await look((await fetched(visitor, `render/image/authenticated/media/${photo.name}?width=640`)).bytes)).toBe(
      AS_TAKEN,
    );
    await edit(BLURRED);
    for (const token of [visitor, member]) {
      for (const query of RENDITIONS) {
        for (const accept of ["image/webp", "image/avif"]) {
          const path = `render/image/authenticated/media/${photo.name}?${query}`;
          const reply = await fetched(token, path, { accept });
          expect([query, reply.status, await look(reply.bytes)]).toEqual([query, 200, HIDDEN]);
        }
      }
      for (const query of WHOLE) {
        for (const route of ["object", "object/authenticated"]) {
          const reply = await fetched(token, `${route}/media/${photo.name}${query}`);
          expect([query, reply.status, await look(reply.bytes)]).toEqual([query, 200, HIDDEN]);
          expect(reply.bytes.equals(photo.bytes)).toBe(false);
        }
      }
      const ranged = await fetched(token, `object/media/${photo.name}`, { range: `bytes=0-${photo.bytes.length}` });
      expect(await look(ranged.bytes)).toBe(HIDDEN);
      for (const path of [`object/public/media/${photo.name}`, `render/video/authenticated/media/${photo.name}`]) {
        expect((await fetched(token, path)).status).toBeGreaterThanOrEqual(400);
      }
      const client = server.client(token);
      for (const take of ["copy", "move"] as const) {
        const { error } = await client.storage.from("media")[take](photo.name, freshName(ada.memoryId, "jpg"));
        expect(error).not.toBeNull();
      }
    }
  });

  test("is shown blurred by URLs that were signed before", async () => {
    const signed: string[] = [];
    for (const token of [visitor, member]) {
      const { data } = await server.client(token).storage.from("media").createSignedUrl(photo.name, 3600);
      signed.push(data?.signedUrl ?? expect.fail("No URL was signed"));
    }
    const bytesOf = async (address: string) => Buffer.from(await (await fetch(address)).arrayBuffer());
    const rendition = (address: string) => `${address.replace("/object/sign/", "/render/image/sign/")}&width=640`;
    for (const address of signed) expect(await look(await bytesOf(rendition(address)))).toBe(AS_TAKEN);
    await edit(BLURRED);
    for (const address of signed) {
      for (const variant of [rendition(address), `${rendition(address)}&unedited=1`, `${address}&download=x.jpg`]) {
        expect(await look(await bytesOf(variant))).toBe(HIDDEN);
      }
      const video = await fetch(address.replace("/object/sign/", "/render/video/sign/"));
      expect(video.status).toBe(404);
    }
  });

  test("stays whole for the person who added it and for managers, who decide about it", async () => {
    await edit(BLURRED);
    for (const token of [adder, ada.token]) {
      expect((await fetched(token, `object/media/${photo.name}`)).bytes.equals(photo.bytes)).toBe(true);
      const unedited = await fetched(token, `render/image/authenticated/media/${photo.name}?width=640&unedited=1`);
      expect(await look(unedited.bytes)).toBe(AS_TAKEN);
      const shown = await fetched(token, `render/image/authenticated/media/${photo.name}?width=640`);
      expect(await look(shown.bytes)).toBe(HIDDEN);
    }
  });

  test("has no tiny picture until it was made again", async () => {
    const before = await rowOf();
    await edit(BLURRED);
    expect((await rowOf()).placeholder).not.toBe(before.placeholder);
    await eventually(async () => expect((await rowOf()).placeholder).not.toBeNull());
    const { placeholder } = await rowOf();
    expect(await look(Buffer.from(placeholder?.split(",")[1] ?? "", "base64"))).toBe(HIDDEN);
  });

  test("is blurred in emails, in link previews and as an icon", async () => {
    await server.client(ada.token).rpc("set_cover", { media_id: photo.id }).throwOnError();
    await edit({ ...EDIT, blur: [[0, 0, 1, 1]] });
    const pictures = memoryPictures({ db, files });
    const reader = { role: "authenticated", sub: ada.userId } as const;
    for (const work of [pictures.seenBy, pictures.preview, pictures.icon]) {
      expect(await look((await work(reader, ada.memoryId)) ?? Buffer.alloc(0))).toBe("hidden hidden");
    }
  });
});

async function prepared(token: string, request: object): Promise<string> {
  for (;;) {
    const { status, body } = await post(server, "prepare-download", request, { authorization: `Bearer ${token}` });
    if (status === 202) continue;
    return (body as unknown as DownloadReady).url;
  }
}

describe("Spec §7: the ZIP file of a blurred photo", () => {
  test.each([false, true])("has it blurred for others (as a page: %s)", async (archive) => {
    await edit(BLURRED);
    for (const token of [visitor, member]) {
      const address = await prepared(token, { mediaIds: [photo.id], archive, language: "en" });
      const entries = await unzip(Buffer.from(await (await fetch(address)).arrayBuffer()));
      const pictures = entries.filter(({ path }) => /\.(webp|jpe?g)$/.test(path));
      expect(pictures.length).toBeGreaterThan(0);
      for (const { bytes } of pictures) expect(await look(bytes)).toBe(HIDDEN);
    }
  });

  test("that was prepared before ends for others, and stays for who has the original", async () => {
    const request = { mediaIds: [photo.id], language: "en" };
    const addresses = await Promise.all([visitor, member].map((token) => prepared(token, request)));
    const own = await prepared(adder, request);
    for (const address of addresses) expect((await fetch(address)).status).toBe(200);
    await edit(BLURRED);
    for (const address of addresses) {
      expect((await fetch(address)).status).toBe(403);
    }
    const [entry] = await unzip(Buffer.from(await (await fetch(own)).arrayBuffer()));
    expect(entry?.bytes.equals(photo.bytes)).toBe(true);
    // A turn ends no download.
    await edit({ ...BLURRED, turn: 90 });
    const again = await prepared(visitor, request);
    await edit({ ...BLURRED, turn: 180 });
    expect((await fetch(again)).status).toBe(200);
  });
});
