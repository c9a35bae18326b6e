import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { png, pngChunk, short, word } from "../support/boxes.ts";
import { encodedPicture } from "../support/encoded-pictures.ts";
import { cr3, RAW_SECRETS, raf, tiffRaw } from "../support/raw-photos.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { freshName } from "../support/uploads.ts";

const server = await testServer({}, undefined, { jobs: true });
const { db, url } = server;

let ada: Owner;
let visitor: string;
beforeAll(async () => {
  ada = await ownerOf(server, "Nonna Rosa");
  visitor = await server.sign({ role: "anon", aud: "anon", share: { link: ada.linkId, version: 1 } });
});

const bucket = (token: string) => server.client(token).storage.from("media");

/** Uploads a file and waits until the job has processed it. */
async function settled(photo: Buffer) {
  const name = freshName(ada.memoryId);
  const { error } = await bucket(ada.token).upload(name, photo);
  if (error) throw error;
  const find = async () => {
    const { rows } = await db.query<{ id: string; state: string; damaged: boolean }>(
      "select id, state, damaged from media where object_name = $1",
      [name],
    );
    return rows[0] ?? { id: "", state: "absent", damaged: false };
  };
  await expect.poll(async () => (await find()).state).not.toBe("waiting");
  return { name, ...(await find()) };
}

const bytesOf = async (file: Blob | null) => (file ? Buffer.from(await file.arrayBuffer()) : undefined);

const rowsSeenBy = async (token: string, id: string) =>
  (await server.client(token).from("media").select("state").eq("id", id)).data;

const painted = () =>
  sharp({
    create: {
      width: 600,
      height: 400,
      channels: 3,
      background: "teal",
      noise: { type: "gaussian", mean: 128, sigma: 30 },
    },
  });

test("an undecodable photo is visible only to managers, who can download and delete it", async () => {
  const nothing = (await painted().png().toBuffer()).subarray(0, 60);
  const { id, name, state } = await settled(nothing);
  expect(state).toBe("broken");
  expect(await rowsSeenBy(visitor, id)).toEqual([]);
  expect((await bucket(visitor).download(name)).data).toBeNull();
  expect(await rowsSeenBy(ada.token, id)).toEqual([{ state: "broken" }]);
  const { data } = await bucket(ada.token).download(name);
  expect((await bytesOf(data))?.equals(nothing)).toBe(true);
  const { rows } = await db.query(
    "select ids from memory_withdrawals where kind = 'broken' and ids @> array[$1::uuid]",
    [id],
  );
  expect(rows).toHaveLength(1);
  await bucket(ada.token).remove([name]);
  expect(await rowsSeenBy(ada.token, id)).toEqual([]);
});

test("half a photo is shown to everybody and marked as damaged", async () => {
  const whole = await painted().jpeg({ quality: 95 }).toBuffer();
  const { id, name, state, damaged } = await settled(whole.subarray(0, whole.length / 2));
  expect([state, damaged]).toEqual(["ready", true]);
  expect(await rowsSeenBy(visitor, id)).toEqual([{ state: "ready" }]);
  const path = `${url}/storage/v1/render/image/authenticated/media/${name}?width=320`;
  expect((await fetch(path, { headers: { authorization: `Bearer ${visitor}` } })).status).toBe(200);
});

test("a scanner's TIFF is kept byte for byte and served to a visitor as WebP", async () => {
  const scan = await painted().toColourspace("rgb16").tiff({ compression: "lzw" }).toBuffer();
  const { name, state, damaged } = await settled(scan);
  expect([state, damaged]).toEqual(["ready", false]);
  const own = (await bucket(ada.token).download(name)).data;
  expect((await bytesOf(own))?.equals(scan)).toBe(true);
  expect((await bucket(visitor).download(name)).data?.type).toBe("image/webp");
});

test("the first page of a multi-page TIFF is shown", async () => {
  const page = (background: string) =>
    sharp({ create: { width: 300, height: 200, channels: 3, background } })
      .png()
      .toBuffer();
  const pages = await sharp([await page("red"), await page("lime"), await page("blue")], { join: { animated: true } })
    .tiff({ compression: "lzw" })
    .toBuffer();
  expect(await sharp(pages).metadata()).toMatchObject({ format: "tiff", pages: 3 });
  const { name, state, damaged } = await settled(pages);
  expect([state, damaged]).toEqual(["ready", false]);
  const own = (await bucket(ada.token).download(name)).data;
  expect((await bytesOf(own))?.equals(pages)).toBe(true);
  const copy = (await bytesOf((await bucket(visitor).download(name)).data)) ?? Buffer.alloc(0);
  const { dominant } = await sharp(copy).stats();
  expect([(await sharp(copy).metadata()).height, dominant.r > 200, dominant.g < 50, dominant.b < 50]).toEqual([
    200,
    true,
    true,
    true,
  ]);
});

test.each([
  ["a document", Buffer.from("{\\rtf1\\ansi Dear Nonna}"), "application/rtf"],
  ["an archive", Buffer.from("PK\x03\x04\x14\0\0\0\0\0", "latin1"), "application/zip"],
])("Spec §5: %s is refused for its type, even when named and declared as JPEG", async (_what, file, type) => {
  const { error } = await bucket(ada.token).upload(freshName(ada.memoryId), file, { contentType: "image/jpeg" });
  expect(error?.message).toBe(`mime type ${type} is not supported`);
});

test.each<[string, () => Promise<Buffer> | Buffer, string]>([
  ["a raw photo", () => tiffRaw({ orientation: 6 }), "2012-07-14"],
  ["a raw photo of Canon", () => cr3(6), "2012-07-14"],
  ["a raw photo of Fujifilm", () => raf(6), "2012-07-14"],
  ["a JPEG XL picture", () => encodedPicture("jxlOfJpeg"), "1999-07-14"],
  ["a JPEG 2000 picture", () => encodedPicture("jp2"), "1999-07-14"],
  ["a Photoshop picture", () => encodedPicture("psd"), "1999-07-14"],
])(
  "Spec §5: %s is kept byte for byte, and a visitor's copy has no place and no serial number",
  async (_what, make, at) => {
    const original = await make();
    const { id, name, state } = await settled(original);
    expect(state).toBe("ready");
    expect((await bytesOf((await bucket(ada.token).download(name)).data))?.equals(original)).toBe(true);
    const { data: rows } = await server.client(visitor).from("media").select("type,taken_at").eq("id", id);
    expect(rows).toEqual([{ type: "image", taken_at: at }]);
    for (const transform of [undefined, { width: 320 }, { width: 1600 }]) {
      const { data } = await bucket(visitor).download(name, transform && { transform });
      const copy = (await bytesOf(data)) ?? Buffer.alloc(0);
      const { exif, xmp, iptc, width = 0 } = await sharp(copy).metadata();
      expect([exif, xmp, iptc]).toEqual([undefined, undefined, undefined]);
      expect(width).toBeGreaterThan(0);
      for (const secret of [...RAW_SECRETS, "Exif"]) expect(copy.includes(secret), secret).toBe(false);
    }
  },
);

test("an animated PNG is kept byte for byte, and moves in the wide copy of a visitor without what it says", async () => {
  const { bytes: png, secret } = animatedPng();
  const { id, name, state } = await settled(png);
  expect(state).toBe("ready");
  const { data: rows } = await server.client(visitor).from("media").select("type,animated").eq("id", id);
  expect(rows).toEqual([{ type: "image", animated: true }]);
  expect((await bytesOf((await bucket(ada.token).download(name)).data))?.equals(png)).toBe(true);
  const copyOf = async (transform?: object) => {
    const { data } = await bucket(visitor).download(name, transform && { transform });
    const bytes = (await bytesOf(data)) ?? Buffer.alloc(0);
    expect(bytes.includes(secret)).toBe(false);
    return (await sharp(bytes, { animated: true }).metadata()).pages ?? 1;
  };
  expect([await copyOf(), await copyOf({ width: 1600 }), await copyOf({ width: 320 })]).toEqual([2, 2, 1]);
});

/** An animated PNG of two frames with a private text. */
function animatedPng() {
  const secret = "Nonna Rosa at +45.4642+009.1900";
  const frame = (level: number) => deflateSync(Buffer.alloc((40 * 3 + 1) * 30).map((_, at) => (at % 121 ? level : 0)));
  const control = (order: number) => Buffer.concat([word(order, 40, 30, 0, 0), short(1, 10), Buffer.from([0, 0])]);
  const bytes = png(
    40,
    30,
    pngChunk("acTL", word(2, 0)),
    pngChunk("tEXt", Buffer.from(`Comment\0${secret}`, "latin1")),
    pngChunk("fcTL", control(0)),
    pngChunk("IDAT", frame(40)),
    pngChunk("fcTL", control(1)),
    pngChunk("fdAT", Buffer.concat([word(2), frame(220)])),
  );
  return { bytes, secret };
}
