import type { Size } from "./sources.ts";

/** The markers of a codestream's beginning and its size. */
const BEGINNING = Buffer.from([0xff, 0x4f, 0xff, 0x51]);
/** The part of a file in which the codestream begins; only metadata and a colour profile are before it. */
export const JPEG_2000_HEAD_BYTES = 4 * 1024 * 1024;

/** The pixels that are decoded at most; of larger pictures, the halved ones that the format contains. */
const MOST_DECODED_PIXELS = 16_000_000;

export interface Jpeg2000Header extends Size {
  components: number;
  /** Bytes of a sample. */
  sampleBytes: 1 | 2;
  /** How often the sides are halved while it is decoded. */
  halvings: number;
  profile: Buffer | undefined;
}

/** Reads the header of a JPEG 2000 picture from the beginning of its file; undefined if it is damaged. */
export function jpeg2000Header(head: Buffer): Jpeg2000Header | undefined {
  const at = head.indexOf(BEGINNING);
  if (at < 0 || head.length < at + 43) return undefined;
  const number = (offset: number) => head.readUInt32BE(at + offset);
  const [width, height] = [number(8) - number(16), number(12) - number(20)];
  const components = head.readUInt16BE(at + 40);
  const depth = ((head[at + 42] ?? 0) & 0x7f) + 1;
  if (width < 1 || height < 1 || components < 1) return undefined;
  const halvings = Math.max(0, Math.ceil(Math.log2((width * height) / MOST_DECODED_PIXELS) / 2));
  const profile = profileOf(head.subarray(0, at));
  return { width, height, components, sampleBytes: depth > 8 ? 2 : 1, halvings, profile };
}

const COLOUR_BOX = Buffer.from("colr", "latin1");
/** The method of a colour box that contains a profile. */
const RESTRICTED_PROFILE = 2;

function profileOf(boxes: Buffer): Buffer | undefined {
  const at = boxes.indexOf(COLOUR_BOX);
  if (at < 4 || boxes[at + 4] !== RESTRICTED_PROFILE) return undefined;
  const end = at - 4 + boxes.readUInt32BE(at - 4);
  return end <= boxes.length ? boxes.subarray(at + 7, end) : undefined;
}

/** The peak memory of decoding in bytes: planes of 32 bits twice, as measured, rounded up. */
export function jpeg2000Bytes({ width, height, halvings, components, sampleBytes }: Jpeg2000Header): number {
  return (width * height * components * (8 + 2 * sampleBytes)) / 4 ** halvings;
}
