import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { type Encoder, RECIPES } from "./encoded-videos.ts";
import { HEIC_PICTURES } from "./heic-pictures.ts";
import { hasRealPhoto, photoPaths } from "./photos.ts";

/** Private text in a {@link phonePhoto}, which no visitor may get. */
export const PHOTO_SECRET = "PhotoOfNonnaRosa";

interface PhonePhoto {
  /** The camera's local time, `2019:05:04 14:33:12`. */
  taken?: string;
  /** The iPhone's identifier of the photo and its video. */
  identifier?: string;
  width?: number;
}

/** A JPEG of noise with a phone's EXIF. */
export async function phonePhoto({ taken, identifier, width = 640 }: PhonePhoto = {}): Promise<Buffer> {
  const picture = await sharp({
    create: { width, height: 480, channels: 3, background: "teal", noise: { type: "gaussian", mean: 128, sigma: 30 } },
  })
    .jpeg()
    .toBuffer();
  const entries = [
    ...(taken ? [{ tag: 0x9003, type: 2, bytes: Buffer.from(`${taken}\0`) }] : []),
    ...(identifier ? [{ tag: 0x927c, type: 7, bytes: appleNote(identifier) }] : []),
    { tag: 0xa430, type: 2, bytes: Buffer.from(`${PHOTO_SECRET}\0`) },
  ];
  const first = Buffer.alloc(18);
  first.writeUInt16BE(1, 0);
  writeEntry(first, 2, { tag: 0x8769, type: 4, count: 1, value: 26 });
  const tiff = Buffer.concat([Buffer.from("MM\0*\0\0\0\x08", "latin1"), first, directory(entries, 26)]);
  const body = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff]);
  return Buffer.concat([picture.subarray(0, 2), segment(0xe1, body), picture.subarray(2)]);
}

interface Entry {
  tag: number;
  type: number;
  bytes: Buffer;
}

/** Apple's maker note with the content identifier and another tag. */
function appleNote(identifier: string): Buffer {
  const entries = [
    { tag: 0x0001, type: 2, bytes: Buffer.from("version 14\0") },
    { tag: 0x0011, type: 2, bytes: Buffer.from(`${identifier}\0`) },
  ];
  return Buffer.concat([Buffer.from("Apple iOS\0\0\x01MM", "latin1"), directory(entries, 14)]);
}

/** An EXIF directory at this offset, followed by its values. */
function directory(entries: Entry[], at: number): Buffer {
  const head = Buffer.alloc(2 + entries.length * 12 + 4);
  head.writeUInt16BE(entries.length, 0);
  let end = at + head.length;
  entries.forEach(({ tag, type, bytes }, index) => {
    writeEntry(head, 2 + index * 12, { tag, type, count: bytes.length, value: end });
    end += bytes.length;
  });
  return Buffer.concat([head, ...entries.map(({ bytes }) => bytes)]);
}

function writeEntry(into: Buffer, at: number, entry: { tag: number; type: number; count: number; value: number }) {
  into.writeUInt16BE(entry.tag, at);
  into.writeUInt16BE(entry.type, at + 2);
  into.writeUInt32BE(entry.count, at + 4);
  into.writeUInt32BE(entry.value, at + 8);
}

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** The identifier in the real HEIC, if that file is available. */
const REAL_IDENTIFIER = "570F1469-09C7-4E50-9875-05F21D5BD166";

/** An iPhone's photo and its identifier: a real HEIC if available, otherwise a JPEG. */
export async function iphonePhoto(): Promise<{ bytes: Buffer; extension: string; identifier: string }> {
  const [path] = hasRealPhoto("iphone.heic") ? await photoPaths("iphone.heic") : [];
  return path
    ? { bytes: await readFile(path), extension: "heic", identifier: REAL_IDENTIFIER }
    : { bytes: await phonePhoto({ identifier: REAL_IDENTIFIER }), extension: "jpg", identifier: REAL_IDENTIFIER };
}

/** A phone's video of two seconds for a photo, recorded on 4 May 2019 at 12:33:11 UTC, with private data. */
export function liveVideo(
  encoder: Encoder,
  { identifier, codec = "h264" }: { identifier?: string; codec?: string } = {},
) {
  const recipe = RECIPES.find(({ name }) => name === `mov of ${codec} with aac`);
  if (!recipe) throw new Error(`There is no recipe for ${codec}`);
  const named = identifier ? ["-metadata", `com.apple.quicktime.content.identifier=${identifier}`] : [];
  return encoder.encode({ ...recipe, encode: [...recipe.encode, ...named] });
}

/** Like {@link liveVideo}, in the format of Android phones. */
export function androidVideo(encoder: Encoder): Promise<Buffer> {
  const recipe = RECIPES.find(({ name }) => name === "mp4 of h264 with aac");
  if (!recipe) throw new Error("There is no such recipe");
  return encoder.encode(recipe);
}

const described = (attributes: string, items = "") =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
   xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/"
   xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/"
   ${attributes}>${items}</rdf:Description></rdf:RDF></x:xmpmeta>`;

const listed = (items: string[]) =>
  `<Container:Directory><rdf:Seq>${items
    .map((item) => `<rdf:li rdf:parseType="Resource"><Container:Item ${item}/></rdf:li>`)
    .join("")}</rdf:Seq></Container:Directory>`;

const PRIMARY = 'Item:Mime="image/jpeg" Item:Semantic="Primary" Item:Length="0" Item:Padding="0"';

const withXmp = async (photo: Buffer, xmp: string) => {
  const body = Buffer.concat([Buffer.from("http://ns.adobe.com/xap/1.0/\0", "latin1"), Buffer.from(xmp)]);
  return Buffer.concat([photo.subarray(0, 2), segment(0xe1, body), photo.subarray(2)]);
};

/** The gain map of an Ultra HDR photo. */
const gainMap = () =>
  sharp({ create: { width: 160, height: 120, channels: 3, background: "white" } })
    .jpeg()
    .toBuffer();

/** An Ultra HDR photo: a JPEG followed by a gain map. */
export async function ultraHdr(): Promise<Buffer> {
  const map = await gainMap();
  const xmp = described(
    'hdrgm:Version="1.0"',
    listed([PRIMARY, `Item:Mime="image/jpeg" Item:Semantic="GainMap" Item:Length="${map.length}"`]),
  );
  return Buffer.concat([await withXmp(await phonePhoto(), xmp), map]);
}

/** Photos that contain their video, in the formats of the last ten years. */
export const MOTION_PHOTOS: Record<string, (video: Buffer) => Promise<Buffer>> = {
  "a Pixel's motion photo with a gain map": async (video) => {
    const map = await gainMap();
    const items = [
      PRIMARY,
      `Item:Mime="image/jpeg" Item:Semantic="GainMap" Item:Length="${map.length}"`,
      `Item:Mime="video/mp4" Item:Semantic="MotionPhoto" Item:Length="${video.length}" Item:Padding="0"`,
    ];
    const xmp = described(MOTION, listed(items));
    return Buffer.concat([await withXmp(await phonePhoto(), xmp), map, video]);
  },
  "a micro video": async (video) =>
    Buffer.concat([
      await withXmp(await phonePhoto(), described(`GCamera:MicroVideo="1" GCamera:MicroVideoOffset="${video.length}"`)),
      video,
    ]),
  "a Samsung's motion photo": async (video) =>
    Buffer.concat([await phonePhoto(), samsungEntry("MotionPhoto_Data"), video, samsungEnd()]),
  "a Samsung's HEIC, whose trailer tells where the video is": (video) => {
    const photo = HEIC_PICTURES.turnedByExif;
    const place = Buffer.alloc(12);
    place.write("mpv2", 0);
    place.writeUInt32BE(photo.length + 8, 4);
    place.writeUInt32BE(video.length, 8);
    const trailer = box("sefd", Buffer.concat([samsungEntry("MotionPhoto_Data"), place, samsungEnd()]));
    return Promise.resolve(Buffer.concat([photo, box("mpvd", Buffer.concat([video, trailer]))]));
  },
};

/** Motion photos with other orders and with wrong or missing numbers; only their videos' positions are tested. */
export const FURTHER_MOTION_PHOTOS: Record<string, (video: Buffer) => Promise<Buffer>> = {
  "Google's HEIC": (video) => Promise.resolve(Buffer.concat([HEIC_PICTURES.burst, box("mpvd", video)])),
  "Google's AVIF": async (video) =>
    Buffer.concat([
      await sharp({ create: { width: 64, height: 48, channels: 3, background: "teal" } })
        .avif({ effort: 0 })
        .toBuffer(),
      box("mpvd", video),
    ]),
  "a video before the gain map": async (video) => {
    const map = await gainMap();
    const items = [
      PRIMARY,
      `Item:Semantic="MotionPhoto" Item:Mime="video/mp4" Item:Length="${video.length}"`,
      `Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="${map.length}"`,
    ];
    return Buffer.concat([await withXmp(await phonePhoto(), described(MOTION, listed(items))), video, map]);
  },
  "items that are elements": async (video) => {
    const item = `<rdf:li rdf:parseType="Resource"><Container:Item rdf:parseType="Resource"><Item:Semantic>MotionPhoto</Item:Semantic>
      <Item:Length>${video.length}</Item:Length></Container:Item></rdf:li>`;
    const xmp = described(MOTION, `<Container:Directory><rdf:Seq>${item}</rdf:Seq></Container:Directory>`);
    return Buffer.concat([await withXmp(await phonePhoto(), xmp), video]);
  },
  "a photo that an editor wrote again, with the old length": async (video) =>
    Buffer.concat([
      await withXmp(await phonePhoto(), described(`GCamera:MicroVideoOffset="${video.length + 99}"`)),
      video,
    ]),
  "a photo whose XMP was removed": async (video) => Buffer.concat([await phonePhoto(), video]),
  "a Huawei's photo": async (video) =>
    Buffer.concat([
      await phonePhoto(),
      video,
      Buffer.from(`v2_f29               LIVE_${video.length + 20}`.padEnd(40)),
    ]),
};

const MOTION = 'GCamera:MotionPhoto="1" GCamera:MotionPhotoVersion="1" hdrgm:Version="1.0"';

function box(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.length + 8, 0);
  head.write(type, 4);
  return Buffer.concat([head, content]);
}

/** The name before a value in Samsung's trailer. */
const samsungEntry = (name: string) =>
  Buffer.concat([Buffer.from([0, 0, 0x30, 0x0a, name.length, 0, 0, 0]), Buffer.from(name)]);

function samsungEnd(): Buffer {
  const end = Buffer.alloc(24);
  end.write("SEFH", 0);
  end.writeUInt32LE(106, 4);
  end.writeUInt32LE(1, 8);
  end.writeUInt32LE(20, 16);
  end.write("SEFT", 20);
  return end;
}
