import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { corpusFiles } from "../support/corpus.ts";
import { DATED_PICTURES } from "../support/dated-pictures.ts";
import { openEncoder } from "../support/encoded-videos.ts";
import { testServer } from "../support/server.ts";
import { type Owner, ownerOf } from "../support/sharing.ts";
import { freshName } from "../support/uploads.ts";

const server = await testServer({}, undefined, { jobs: true });
const { db } = server;
const encoder = await openEncoder();
afterAll(() => encoder.close());
let ada: Owner;
beforeAll(async () => {
  ada = await ownerOf(server, "Nonna Rosa");
});

interface Dated {
  taken_at: string | null;
  taken_source: string | null;
}

/** Resolves to the date of an uploaded photo after the server has processed it. */
async function dated(photo: Buffer, metadata: Record<string, unknown> = {}, extension = "jpg"): Promise<Dated> {
  const name = freshName(ada.memoryId, extension);
  const { error } = await server.client(ada.token).storage.from("media").upload(name, photo, { metadata });
  if (error) throw error;
  const row = async () => {
    const { data } = await server
      .client(ada.token)
      .from("media")
      .select("state,details:media_details(taken_at,taken_source)")
      .eq("object_name", name)
      .single<{ state: string; details: Dated }>();
    return data;
  };
  await expect.poll(async () => (await row())?.state, { timeout: 180_000 }).not.toBe("waiting");
  return (await row())?.details ?? { taken_at: null, taken_source: null };
}

const blank = () => sharp({ create: { width: 32, height: 24, channels: 3, background: "teal" } });
const withXmp = (property: string) =>
  blank().withXmp(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
       xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" ${property}/></rdf:RDF></x:xmpmeta>`,
  );
const exact = { taken_at: "2024-07-14T16:05:09" };

describe("a photo has the date", () => {
  test("of its EXIF before that of its name", async () => {
    const photo = await blank()
      .withExif({ IFD2: { DateTimeOriginal: "2019:05:04 23:59:58" } })
      .jpeg()
      .toBuffer();
    const date = { taken_at: "2019-05-04T23:59:58", taken_source: "exif" };
    expect(await dated(photo, { filename: "IMG_20240714_160509.jpg" })).toEqual(date);
  });

  test.each(["jpeg", "png", "webp", "avif"] as const)("of its XMP, in a %s", async (format) => {
    const photo = await withXmp('photoshop:DateCreated="1962-07"').toFormat(format).toBuffer();
    expect(await dated(photo)).toEqual({ taken_at: "1962-07", taken_source: "xmp" });
  });

  test.each([
    ["IPTC with a time", "1987-05-04T10:11:12", "iptc"],
    ["IPTC with a year", "1962", "iptc"],
    ["PNG text", "1987-05-04T10:11:12", "png"],
  ] as const)("that exiftool wrote: %s", async (name, taken_at, taken_source) => {
    expect(await dated(Buffer.from(DATED_PICTURES[name], "base64"))).toEqual({ taken_at, taken_source });
  });

  test("of the export it came with, otherwise that of its name", async () => {
    const photo = await blank().jpeg().toBuffer();
    const filename = "WhatsApp Image 2024-07-14 at 16.05.09.jpeg";
    const taken = "1962-07-10T12:26:40";
    expect(await dated(photo, { filename, taken })).toEqual({ taken_at: taken, taken_source: "takeout" });
    expect(await dated(photo, { filename })).toEqual({ ...exact, taken_source: "name" });
  });

  test.each([
    [{ filename: "DSC00042.JPG" }],
    [{ filename: "DSC00042.JPG", taken: "soon" }],
    [{ filename: "DSC00042.JPG", taken: "2024-02-31T10:00:00" }],
    [{ filename: "IMG_20991231_160509.jpg" }],
    [{ filename: "x.jpg", taken: { year: 1962 } }],
  ])("null if no source has a valid one: %j", async (metadata) => {
    expect(await dated(await blank().jpeg().toBuffer(), metadata)).toEqual({ taken_at: null, taken_source: null });
  });

  test("that a person gave it, also after the server processes it again", async () => {
    const name = freshName(ada.memoryId);
    const photo = await withXmp('photoshop:DateCreated="2019"').jpeg().toBuffer();
    const client = server.client(ada.token);
    await client.storage.from("media").upload(name, photo);
    const row = () => client.from("media").select("id,state,taken_at,taken_source").eq("object_name", name).single();
    await expect.poll(async () => (await row()).data?.state).toBe("ready");
    const id = (await row()).data?.id;
    await client.rpc("set_media_dates", { ids: [id], dates: ["1962~"] }).throwOnError();
    await db.query("update media set state = 'waiting' where id = $1", [id]);
    await db.query("select pg_notify('media_waiting', '')");
    await expect.poll(async () => (await row()).data?.state).toBe("ready");
    expect((await row()).data).toMatchObject({ taken_at: "1962~", taken_source: "person" });
    const refused = await client.rpc("set_media_dates", { ids: [id], dates: ["1962-02-31"] });
    expect(refused.error).toMatchObject({ code: "23514" });
  });
});

describe("a photo of a camera without a set clock has the date", () => {
  const unset = { DateTimeOriginal: "2002:12:08 12:00:00" };

  test("of digitising", async () => {
    const exif = { IFD2: { ...unset, DateTimeDigitized: "2013:07:12 16:54:27" } };
    const date = { taken_at: "2013-07-12T16:54:27", taken_source: "exif" };
    expect(
      await dated(await blank().withExif(exif).jpeg().toBuffer(), { filename: "IMG_20130712_165427.jpg" }),
    ).toEqual(date);
  });

  test("of its name", async () => {
    const photo = await blank().withExif({ IFD2: unset }).jpeg().toBuffer();
    const date = { taken_at: "2013-07-12T16:54:27", taken_source: "name" };
    expect(await dated(photo, { filename: "IMG_20130712_165427.jpg" })).toEqual(date);
    expect(await dated(photo, { filename: "IMG_1.jpg" })).toEqual({ taken_at: null, taken_source: null });
  });

  test("of its last change, without another", async () => {
    const photo = await blank()
      .withExif({ IFD0: { DateTime: "2009:08:07 10:11:12" } })
      .jpeg()
      .toBuffer();
    expect(await dated(photo, { filename: "IMG_1.jpg" })).toEqual({
      taken_at: "2009-08-07T10:11:12",
      taken_source: "exif",
    });
  });
});

describe("a video has the date", () => {
  const encode = (extension: string, ...encoding: string[]) =>
    encoder.pictures(extension, [
      "-c:v",
      extension === "avi" ? "mjpeg" : "libx264",
      "-preset",
      "ultrafast",
      ...encoding,
    ]);
  const created = ["-metadata", "creation_time=2023-12-30T19:47:05Z"];
  const local = { taken_at: "2023-12-30T20:47:05", taken_source: "video" };

  test.each<[string, string, string[], string]>([
    ["its header, which may be in UTC", "mp4", created, "2023-12-30T19:47:05"],
    [
      "its iPhone, with its zone",
      "mov",
      [
        ...created,
        "-movflags",
        "use_metadata_tags",
        "-metadata",
        "com.apple.quicktime.creationdate=2023-12-30T20:47:05+0100",
      ],
      local.taken_at,
    ],
    [
      "an older iPhone, with its zone",
      "mov",
      [...created, "-metadata", "date=2023-12-30T20:47:05+0100"],
      local.taken_at,
    ],
    ["its place, as iPhones write it", "mov", [...created, "-metadata", "location=+45.4642+009.1900/"], local.taken_at],
    ["its place, as phones write it", "mp4", [...created, "-metadata", "location=+45.4642+009.1900/"], local.taken_at],
    ["its camera, in an AVI", "avi", ["-metadata", "date=2023-12-30 20:47:05"], local.taken_at],
  ])("of %s", async (_name, extension, encoding, taken_at) => {
    expect(await dated(await encode(extension, ...encoding), {}, extension)).toEqual({
      taken_at,
      taken_source: "video",
    });
  });

  test("of its name, if the header agrees with it in another zone", async () => {
    const video = await encode("mp4", ...created);
    expect(await dated(video, { filename: "VID_20231230_204700.mp4" }, "mp4")).toEqual({
      ...local,
      taken_at: "2023-12-30T20:47:00",
    });
    expect(await dated(video, { filename: "VID_20231230_205200.mp4" }, "mp4")).toEqual({
      ...local,
      taken_at: "2023-12-30T19:47:05",
    });
  });

  test("of its camera, in an AVI's own chunk", async () => {
    const video = await encode("avi", "-metadata", "date=Sat Dec 30 20:47:05 2023");
    // ffmpeg writes the date under the name that programs use; cameras use another.
    video.write("IDIT", video.indexOf("ICRD"), "latin1");
    expect(await dated(video, {}, "avi")).toEqual(local);
  });

  test.each(["0", "1"])("of its camcorder, in packets of both kinds (%s)", async (m2ts) => {
    // Names of the zone, year and month, and of the day and time, with their digits.
    const date = Buffer.from([2, 0x18, 0x12, 0x20, 0x23, 0x12, 0x19, 0x30, 0x20, 0x47, 0x05]).toString("latin1");
    const data = `h264_metadata=sei_user_data=17ee8c60f84d11d98cd60800200c9a66+MDPM${date}`;
    const video = await encode("mts", "-bsf:v", data, "-f", "mpegts", "-mpegts_m2ts_mode", m2ts);
    expect(await dated(video, {}, "mts")).toEqual(local);
  });
});

/** The dates that exiftool reads from photos of real cameras and phones. Photos that are not listed have no date. */
const REAL: Record<string, string> = {
  "canon.jpg": "2015-02-09T22:47:44",
  "gps-nikon-2.jpg": "2008-10-22T16:38:20",
  "gps-nikon.jpg": "2008-10-22T16:28:39",
  "gps-odd-ifd.jpg": "2012-06-23T06:55:49",
  "iphone-hdr.jpg": "2015-04-10T20:12:23",
  "iphone.heic": "2021-04-11T15:47:53",
  "jolla-phone.jpg": "2014-09-21T16:00:56",
  "kodak-1998.jpg": "1999-05-25T21:00:09",
};
const { available, files } = corpusFiles("photos");
// The landscapes are one photo, rotated in eight ways.
const realPhotos = files.filter(([name]) => !/orientation-[2-8]/.test(name));
// Decoding a phone's HEIC in software is slow.
test.runIf(available).each(realPhotos)(
  "a real photo has its own date: %s",
  { timeout: 180_000 },
  async (name, path) => {
    const taken_at = REAL[name] ?? null;
    const date = { taken_at, taken_source: taken_at && "exif" };
    expect(await dated(await readFile(path))).toEqual(date);
  },
);
