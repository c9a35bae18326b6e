import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import sharp, { type Metadata } from "sharp";
import { isRaw, photoFormat } from "../../../shared/photo-format.ts";
import { rawPreviewBytes } from "./foreign.ts";
import { JPEG_2000_HEAD_BYTES } from "./jpeg-2000.ts";
import { JPEG_XL_HEAD_BYTES } from "./jpeg-xl.ts";
import { photoshopResources, RESOURCE } from "./photoshop.ts";
import { readable } from "./pictures.ts";
import type { StoredPicture } from "./regions.ts";
import { reading, type Source } from "./sources.ts";

/** The descriptions in a picture's file. */
export interface PictureMetadata {
  /** Blocks of EXIF, or files that begin with one. */
  exif: Source[];
  xmp?: Buffer | undefined;
  iptc?: Buffer | undefined;
  /** How the pixels are stored, if known. */
  stored?: StoredPicture | undefined;
  /** Texts of a PNG. */
  comments?: Metadata["comments"];
}

/** Reads the descriptions in a picture's file. Those that cannot be read are left out. */
export async function pictureMetadata(source: Source): Promise<PictureMetadata> {
  const format = await reading(source, photoFormat);
  if (format && isRaw(format)) return rawMetadata(source);
  if (format === "image/jxl") return jpegXlMetadata(await headOf(source, JPEG_XL_HEAD_BYTES));
  if (format === "image/jp2") return jpeg2000Metadata(await headOf(source, JPEG_2000_HEAD_BYTES));
  if (format === "image/vnd.adobe.photoshop") {
    const resources = photoshopResources(await headOf(source, PHOTOSHOP_HEAD_BYTES));
    const exif = resources.get(RESOURCE.exif);
    return { exif: exif ? [exif] : [], xmp: resources.get(RESOURCE.xmp), iptc: resources.get(RESOURCE.iptc) };
  }
  return format ? { exif: [] } : sharpMetadata(source);
}

const headOf = (source: Source, length: number) => reading(source, (read) => read(0, length));

/** The part of a Photoshop file that is searched; descriptions are before the layers. */
const PHOTOSHOP_HEAD_BYTES = 8 * 1024 * 1024;

async function sharpMetadata(source: Source): Promise<PictureMetadata> {
  const facts = await readable(source)
    .then((picture) => sharp(picture, { failOn: "none" }).metadata())
    .catch(() => undefined);
  if (!facts) return { exif: [] };
  // A TIFF has its tags in its own structure; the other formats have them in a block.
  const exif = facts.format === "tiff" ? source : facts.exif && withoutName(facts.exif);
  return {
    exif: exif ? [exif] : [],
    xmp: facts.xmp,
    iptc: facts.iptc,
    comments: facts.comments,
    stored: storedAs(facts),
  };
}

const storedAs = ({ width, height, orientation = 1 }: Metadata): StoredPicture | undefined =>
  width && height ? { width, height, orientation } : undefined;

const EXIF_NAME = "Exif\0\0";

/** A block may begin with its name, which is not part of the TIFF structure. */
const withoutName = (block: Buffer): Buffer =>
  block.toString("latin1", 0, EXIF_NAME.length) === EXIF_NAME ? block.subarray(EXIF_NAME.length) : block;

/** The part of a raw photo in which its directories are, as far as it has another signature than TIFF. */
const RAW_HEAD_BYTES = 4 * 1024 * 1024;

async function rawMetadata(source: Source): Promise<PictureMetadata> {
  const head = await headOf(source, RAW_HEAD_BYTES);
  const own = rawExif(source, head);
  const preview = await rawPreviewBytes(source);
  const others = preview ? await sharpMetadata(preview) : { exif: [] };
  return { ...others, exif: [...own, ...others.exif] };
}

function rawExif(source: Source, head: Buffer): Source[] {
  const beginning = head.toString("latin1", 0, 4);
  if (beginning === "II*\0" || beginning === "MM\0*") return [source];
  if (/^(II[RU]|MMOR)/.test(beginning)) {
    // Olympus and Panasonic replace the signature of a TIFF.
    const tiff = Buffer.from(head);
    tiff.write(beginning.startsWith("II") ? "II*\0" : "MM\0*", 0, "latin1");
    return [tiff];
  }
  return beginning !== "FUJI" && head.toString("latin1", 4, 12) === "ftypcrx " ? canonBlocks(head) : [];
}

/** Canon's CR3 has the directories of a TIFF in boxes; each becomes a TIFF of its own. */
const CANON_BOXES: readonly (readonly [type: string, pointer: number])[] = [
  ["CMT1", 0],
  ["CMT2", 0x8769],
  ["CMT4", 0x8825],
];

function canonBlocks(head: Buffer): Buffer[] {
  return CANON_BOXES.flatMap(([type, pointer]) => {
    const at = head.indexOf(type, 0, "latin1");
    const end = at < 4 ? 0 : at - 4 + head.readUInt32BE(at - 4);
    const block = end > at + 12 && end <= head.length ? head.subarray(at + 4, end) : undefined;
    if (!block) return [];
    return [pointer === 0 ? block : pointedTo(block, pointer)];
  });
}

/** The block with a first directory, whose only entry points to the block's own. */
function pointedTo(block: Buffer, pointer: number): Buffer {
  const isLittle = block[0] === 0x49;
  const tail = Buffer.alloc(18);
  const directoryAt = block.length + (block.length % 2);
  const tiff = Buffer.concat([block, Buffer.alloc(block.length % 2), tail]);
  const word = (value: number, at: number) =>
    isLittle ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at);
  const short = (value: number, at: number) =>
    isLittle ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at);
  const inner = isLittle ? block.readUInt32LE(4) : block.readUInt32BE(4);
  word(directoryAt, 4);
  short(1, directoryAt);
  short(pointer, directoryAt + 2);
  short(4, directoryAt + 4);
  word(1, directoryAt + 6);
  word(inner, directoryAt + 10);
  return tiff;
}

/** The maximum size of a description after decompression. */
const MOST_UNPACKED_BYTES = 4 * 1024 * 1024;

const PACKED = "brob";

/** Programs write one box of each kind. Further ones are not read, because each may unpack to {@link MOST_UNPACKED_BYTES}. */
async function jpegXlMetadata(head: Buffer): Promise<PictureMetadata> {
  const boxes = boxesOf(head);
  const contentOf = async (kind: string): Promise<Buffer | undefined> => {
    const box = boxes.find(({ type, body }) => type === kind || (type === PACKED && startsWith(body, kind)));
    return box?.type === PACKED ? unpacked(box.body.subarray(4)) : box?.body;
  };
  const [exif, xmp] = [await contentOf("Exif"), await contentOf("xml ")];
  // EXIF begins after an offset.
  return { exif: exif && exif.length > 4 ? [withoutName(exif.subarray(4 + exif.readUInt32BE(0)))] : [], xmp };
}

const startsWith = (body: Buffer, text: string) => body.toString("latin1", 0, text.length) === text;

const unpacked = (content: Buffer): Promise<Buffer | undefined> =>
  promisify(brotliDecompress)(content, { maxOutputLength: MOST_UNPACKED_BYTES }).catch(() => undefined);

/** Identifiers of the boxes in which programs write EXIF and XMP into a JPEG 2000 file. */
const EXIF_BOX = Buffer.from("JpgTiffExif->JP2", "latin1");
const XMP_BOX = Buffer.from("be7acfcb97a942e89c71999491e3afac", "hex");

function jpeg2000Metadata(head: Buffer): PictureMetadata {
  const boxes = boxesOf(head);
  const withId = (id: Buffer) =>
    boxes.find(({ type, body }) => type === "uuid" && body.subarray(0, id.length).equals(id))?.body.subarray(id.length);
  const exif = withId(EXIF_BOX);
  const xmp = boxes.find(({ type }) => type === "xml ")?.body ?? withId(XMP_BOX);
  return { exif: exif ? [withoutName(exif)] : [], xmp };
}

/** The boxes at the top of a file that are whole in its beginning. */
function boxesOf(head: Buffer): { type: string; body: Buffer }[] {
  const boxes: { type: string; body: Buffer }[] = [];
  for (let at = 0; at + 8 <= head.length; ) {
    const size = head.readUInt32BE(at);
    if (size < 8 || at + size > head.length) break;
    boxes.push({ type: head.toString("latin1", at + 4, at + 8), body: head.subarray(at + 8, at + size) });
    at += size;
  }
  return boxes;
}
