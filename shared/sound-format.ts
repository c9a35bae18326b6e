import type { ReadBytes } from "./tiff.ts";

/** The number of bytes that show a format, or where its content begins. */
const HEAD_BYTES = 64;
/** The limits of work in a file that refers to itself or claims too much. */
const MAX_STEPS = 200;
const MAX_TRACK_BYTES = 64 * 1024;

/** Signatures of files with only sound. */
const BEGINNINGS: readonly (readonly [text: string, type: string, at?: number])[] = [
  ["fLaC", "audio/flac"],
  ["#!AMR", "audio/amr"],
  ["caff\0", "audio/x-caf"],
  ["AIFF", "audio/aiff", 8],
  ["AIFC", "audio/aiff", 8],
  ["WAVE", "audio/wav", 8],
];
const ASF = "0&\xb2u\x8ef\xcf\x11";

/**
 * Detects the media type of a recording by its content: a format for sound, or a container for videos with only sound
 * in it. Resolves to undefined for any other file, also for a video without sound.
 */
export async function soundFormat(read: ReadBytes): Promise<string | undefined> {
  const beginning = latin1(await read(0, HEAD_BYTES));
  const format = BEGINNINGS.find(([text, , at = 0]) => beginning.startsWith(text, at));
  if (format && (format[2] === undefined || /^(RIFF|RF64|FORM)/.test(beginning))) return format[1];
  if (beginning.startsWith("OggS")) return oggFormat(latin1(await read(0, 4096)));
  if (beginning.startsWith("ID3")) return framesFormat(read, tagBytes(beginning));
  if (beginning.startsWith(ASF)) return asfFormat(read);
  if (beginning.startsWith("\x1aE\xdf\xa3")) return matroskaFormat(read);
  if (MOVIE_BOXES.has(beginning.slice(4, 8))) return movieFormat(read, beginning);
  return isFrame(beginning) ? framesFormat(read, 0) : undefined;
}

const latin1 = (bytes: Uint8Array) => {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return text;
};
const word = (text: string, at: number) =>
  text.length < at + 4 ? 0 : [0, 1, 2, 3].reduce((number, byte) => number * 256 + text.charCodeAt(at + byte), 0);
const littleWord = (text: string, at: number) =>
  text.length < at + 4 ? 0 : [3, 2, 1, 0].reduce((number, byte) => number * 256 + text.charCodeAt(at + byte), 0);

const OGG_CODECS = ["OpusHead", "\x01vorbis", "\x7fFLAC", "Speex   "];

/** Ogg names its streams' codecs in its first pages. */
function oggFormat(text: string): string | undefined {
  if (/\x80theora|OVP80|BBCD\0/.test(text)) return undefined;
  return OGG_CODECS.some((codec) => text.includes(codec)) ? "audio/ogg" : undefined;
}

/** The length of an ID3 tag, whose numbers have seven bits a byte. */
const tagBytes = (text: string) => 10 + [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (text.charCodeAt(at) & 127), 0);

const isFrame = (text: string) => text.charCodeAt(0) === 0xff && (text.charCodeAt(1) & 0xe0) === 0xe0;

/** Programs write zeros between a tag and the sound. */
const MAX_PADDING = 64 * 1024;

/** The format of frames after a tag: a second frame must follow where the first one ends. */
async function framesFormat(read: ReadBytes, from: number): Promise<string | undefined> {
  const bytes = latin1(await read(from, MAX_PADDING));
  const start = bytes.search(/[^\0]/);
  if (start === -1) return undefined;
  if (bytes.startsWith("fLaC", start)) return "audio/flac";
  for (let at = start; at < Math.min(bytes.length, start + 4096); at++) {
    const frame = isFrame(bytes.slice(at, at + 2)) ? frameAt(bytes, at) : undefined;
    const next = frame && (at + frame.bytes >= bytes.length ? undefined : frameAt(bytes, at + frame.bytes));
    if (frame && (next?.type === frame.type || (from > 0 && at === start))) return frame.type;
    // Without a tag, the first bytes are a frame, or the file is something else.
    if (from === 0) return undefined;
  }
  return undefined;
}

const BIT_RATES: Record<string, readonly number[]> = {
  "1-1": [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  "1-2": [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  "1-3": [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  "2-1": [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  "2-2": [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  "2-3": [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const SAMPLE_RATES = [44_100, 48_000, 32_000];

/** The type and length of the MPEG or AAC frame at a position. */
function frameAt(text: string, at: number): { type: string; bytes: number } | undefined {
  if (text.length < at + 6 || !isFrame(text.slice(at, at + 2))) return undefined;
  const [, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = [...text.slice(at, at + 6)].map((letter) =>
    letter.charCodeAt(0),
  );
  const layer = 4 - ((second >> 1) & 3);
  if (layer === 4) {
    const bytes = ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
    return (second & 0xf0) === 0xf0 && bytes > 7 ? { type: "audio/aac", bytes } : undefined;
  }
  const version = (second >> 3) & 3;
  const rate = (SAMPLE_RATES[(third >> 2) & 3] ?? 0) / (version === 3 ? 1 : version === 2 ? 2 : 4);
  const bits = (BIT_RATES[`${version === 3 ? 1 : 2}-${layer}`]?.[third >> 4] ?? 0) * 1000;
  if (version === 1 || rate === 0 || bits === 0) return undefined;
  const padding = (third >> 1) & 1;
  const bytes =
    layer === 1
      ? (Math.floor((12 * bits) / rate) + padding) * 4
      : Math.floor(((version !== 3 && layer === 3 ? 72 : 144) * bits) / rate) + padding;
  return { type: "audio/mpeg", bytes };
}

/** Identifiers of streams of sound and of pictures in Windows' containers. */
const ASF_SOUND = "\x40\x9e\x69\xf8\x4d\x5b\xcf\x11";
const ASF_PICTURES = "\xc0\xef\x19\xbc\x4d\x5b\xcf\x11";
const ASF_STREAM = "\x91\x07\xdc\xb7\xb7\xa9\xcf\x11";

/** Windows' container names its streams in the objects of its header. */
async function asfFormat(read: ReadBytes): Promise<string | undefined> {
  let hasSound = false;
  const end = littleWord(latin1(await read(16, 4)), 0);
  for (let at = 30, steps = 0; at + 24 <= end && steps < MAX_STEPS; steps++) {
    const object = latin1(await read(at, 48));
    if (object.startsWith(ASF_STREAM)) {
      if (object.startsWith(ASF_PICTURES, 24)) return undefined;
      hasSound ||= object.startsWith(ASF_SOUND, 24);
    }
    const length = littleWord(object, 16);
    if (length < 24) break;
    at += length;
  }
  return hasSound ? "audio/x-ms-wma" : undefined;
}

/** Identifiers of elements of Matroska and WebM. */
const SEGMENT = 0x18538067;
const TRACKS = 0x1654ae6b;
const TRACK = 0xae;
const TRACK_TYPE = 0x83;
const DOC_TYPE = 0x4282;
const HEADER = 0x1a45dfa3;
const PICTURE_TRACK = 1;
const SOUND_TRACK = 2;

/** WebM and Matroska name their tracks before or after their content. */
async function matroskaFormat(read: ReadBytes): Promise<string | undefined> {
  let docType = "";
  const kinds = new Set<number>();
  const walk = async (from: number, to: number, budget: { steps: number }): Promise<void> => {
    for (let at = from; at < to && budget.steps > 0; budget.steps--) {
      const element = elementAt(await read(at, 12));
      if (!element) return;
      const { id, head, length } = element;
      const body = at + head;
      const end = length === undefined ? to : body + length;
      if (id === DOC_TYPE) docType = latin1(await read(body, Math.min(length ?? 0, 16)));
      else if (id === TRACK_TYPE) kinds.add((await read(body, 1))[0] ?? 0);
      else if (id === HEADER || id === SEGMENT || id === TRACKS || id === TRACK) await walk(body, end, budget);
      if (id === TRACKS) budget.steps = 0;
      at = end;
    }
  };
  await walk(0, Number.MAX_SAFE_INTEGER, { steps: MAX_STEPS });
  if (kinds.has(PICTURE_TRACK) || !kinds.has(SOUND_TRACK)) return undefined;
  return docType.startsWith("webm") ? "audio/webm" : "audio/matroska";
}

/** The identifier, header's length and content's length of an element; a stream's length may be unknown. */
function elementAt(bytes: Uint8Array): { id: number; head: number; length: number | undefined } | undefined {
  const idBytes = Math.clz32(bytes[0] ?? 0) - 23;
  const lengthBytes = Math.clz32(bytes[idBytes] ?? 0) - 23;
  if (idBytes > 4 || lengthBytes > 8 || bytes.length < idBytes + lengthBytes) return undefined;
  const number = (from: number, count: number, mask: number) =>
    bytes.slice(from + 1, from + count).reduce((sum, byte) => sum * 256 + byte, (bytes[from] ?? 0) & mask);
  const mask = 0xff >> lengthBytes;
  const length = number(idBytes, lengthBytes, mask);
  const isUnknown = length === mask * 256 ** (lengthBytes - 1) + (256 ** (lengthBytes - 1) - 1);
  return { id: number(0, idBytes, 0xff), head: idBytes + lengthBytes, length: isUnknown ? undefined : length };
}

/** The first boxes of movies. */
const MOVIE_BOXES = new Set(["ftyp", "moov", "mdat", "wide", "free", "skip"]);
/** Brands of recordings and audio books, in which a picture is a cover. */
const SOUND_BRANDS = /^(M4[ABP]|F4[AB])/;
const PICTURE_BRANDS = /^(hei|hev|mif1|msf1|avi[fs]|crx)/;
const STILL_CODECS = /^(jpeg|png |mjp[ab]|bmp )/;

/** MP4 and QuickTime name their tracks in a box that may be at their end. */
async function movieFormat(read: ReadBytes, beginning: string): Promise<string | undefined> {
  if (PICTURE_BRANDS.test(beginning.slice(8))) return undefined;
  const isSound = SOUND_BRANDS.test(beginning.slice(8));
  for (let at = 0, steps = 0; steps < MAX_STEPS; steps++) {
    const head = latin1(await read(at, 16));
    const length = word(head, 0) === 1 ? word(head, 8) * 2 ** 32 + word(head, 12) : word(head, 0);
    if (head.slice(4, 8) === "moov") {
      const tracks = await tracksIn(read, at + 8, at + (length || Number.MAX_SAFE_INTEGER));
      return tracksFormat(tracks, isSound);
    }
    if (length < 8) break;
    at += length;
  }
  // One that was cut off is what its brand says.
  return isSound ? "audio/mp4" : undefined;
}

/** The beginnings of the tracks' boxes, before their tables. */
async function tracksIn(read: ReadBytes, from: number, to: number): Promise<string[]> {
  const tracks: string[] = [];
  for (let at = from, steps = 0; at < to && steps < MAX_STEPS; steps++) {
    const head = latin1(await read(at, 8));
    const length = word(head, 0);
    if (head.endsWith("trak")) tracks.push(latin1(await read(at, Math.min(length, MAX_TRACK_BYTES))));
    if (length < 8) break;
    at += length;
  }
  return tracks;
}

/** The handlers of tracks: `hdlr`, version and flags, the component's type, and the kind of media. */
const HANDLER = /hdlr.{8}(vide|soun)/s;
const DESCRIPTION = /stsd.{12}(.{4})/s;

function tracksFormat(tracks: string[], isSound: boolean): string | undefined {
  const kinds = tracks.map((track) => ({ kind: track.match(HANDLER)?.[1], codec: track.match(DESCRIPTION)?.[1] }));
  const hasPictures = kinds.some(({ kind, codec }) => kind === "vide" && !(isSound && STILL_CODECS.test(codec ?? "")));
  return !hasPictures && kinds.some(({ kind }) => kind === "soun") ? "audio/mp4" : undefined;
}
