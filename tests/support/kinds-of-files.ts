import sharp from "sharp";
import { type EncodedPicture, encodedPicture } from "./encoded-pictures.ts";
import { amrVoicemail, type openSoundEncoder, SECRET_OF_SOUND, SOUNDS } from "./encoded-sounds.ts";
import type { Encoder } from "./encoded-videos.ts";
import { letter, PAGE_COLOURS, SECRET_OF_PAPER, scan } from "./papers.ts";
import { cr3, previewJpeg, RAW_SECRETS, type RawOptions, raf, tiffRaw } from "./raw-photos.ts";

/** The columns of the table of kinds in docs/media.md. */
export const COLUMNS = [
  "kept",
  "shown",
  "dated",
  "upright",
  "colour",
  "sound",
  "clean for others",
  "archive",
  "export",
] as const;
export type Column = (typeof COLUMNS)[number];

/** The programs that encode files of some kinds. */
export interface Encoders {
  videos: Encoder;
  sounds: Awaited<ReturnType<typeof openSoundEncoder>>;
}

/** A kind of file that families own, with what people get of one that an encoder wrote. */
export interface FileKind {
  /** The kind's row in docs/media.md, which others may share. */
  row: string;
  name: string;
  /** The name under which a phone or program would save it. */
  file: string;
  /** The detected type. */
  type: string;
  make(encoders: Encoders): Promise<Buffer> | Buffer;
  display: "picture" | "video" | "wave";
  dated: { by: "file" | "name"; at: string };
  /** Its size as seen upright, of a file that is stored turned by a quarter. */
  upright?: { width: number; height: number };
  /** The colours of its left upper and right lower corner. */
  colours?: readonly number[];
  hasSound?: boolean;
  /** Texts in it that nobody but its managers may get; empty if the format has no place for any. */
  secrets: readonly string[];
}

/** What the cell of a kind says in docs/media.md. */
export function cellOf({ dated, upright, colours, hasSound }: FileKind, column: Column): string {
  if (column === "dated") return dated.by;
  const has = { upright, colour: colours, sound: hasSound };
  return column in has && !has[column as keyof typeof has] ? "–" : "✓";
}

const ORANGE_BLUE = [200, 100, 30, 30, 60, 200];
const CAMERA_SECRETS = ["SN-4711"];
const NAMED = { by: "name", at: "1999-07-14T16:05:09" } as const;
const IN_FILE = { by: "file", at: "1999-07-14T16:05:09" } as const;

const picture = (row: string, parts: Pick<FileKind, "file" | "type" | "make"> & Partial<FileKind>): FileKind => ({
  row,
  name: row,
  display: "picture",
  dated: IN_FILE,
  colours: ORANGE_BLUE,
  secrets: CAMERA_SECRETS,
  ...parts,
});

/** A photo of 600 × 400 pixels that is stored turned, with EXIF. */
const turnedPhoto = async () =>
  sharp(await previewJpeg(600, 400))
    .withExif({
      IFD2: { DateTimeOriginal: "1999:07:14 16:05:09", BodySerialNumber: CAMERA_SECRETS[0] ?? "" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "45/1 28/1 0/1", GPSLongitudeRef: "E", GPSLongitude: "9/1 12/1 0/1" },
    })
    .withMetadata({ orientation: 6 });
const TURNED = { width: 400, height: 600 };
const TURNED_SMALL = { width: 80, height: 120 };
const encoded = (name: EncodedPicture) => () => encodedPicture(name);

const PICTURES: FileKind[] = [
  picture("JPEG", {
    file: "DSC_1.jpg",
    type: "image/jpeg",
    make: async () => (await turnedPhoto()).jpeg({ quality: 95 }).toBuffer(),
    upright: TURNED,
  }),
  picture("PNG", {
    file: "scan.png",
    type: "image/png",
    make: async () => (await turnedPhoto()).png().toBuffer(),
    upright: TURNED,
  }),
  picture("WebP", {
    file: "photo.webp",
    type: "image/webp",
    make: async () => (await turnedPhoto()).webp({ quality: 95 }).toBuffer(),
    upright: TURNED,
  }),
  picture("AVIF", {
    file: "photo.avif",
    type: "image/avif",
    make: async () => (await turnedPhoto()).avif({ quality: 80 }).toBuffer(),
    upright: TURNED,
  }),
  picture("HEIC", {
    file: "IMG_1.HEIC",
    type: "image/heic",
    make: encoded("turnedHeic"),
    upright: TURNED_SMALL,
  }),
  picture("GIF", {
    file: "IMG_19990714_160509.gif",
    type: "image/gif",
    make: async () =>
      sharp(await previewJpeg(600, 400))
        .gif()
        .toBuffer(),
    dated: NAMED,
    secrets: [],
  }),
  picture("TIFF", { file: "scan.tif", type: "image/tiff", make: encoded("turnedTiff"), upright: TURNED_SMALL }),
  picture("BMP", {
    file: "IMG_19990714_160509.bmp",
    type: "image/bmp",
    make: encoded("bmp24"),
    dated: NAMED,
    secrets: [],
  }),
  picture("JPEG 2000", { file: "scan.jp2", type: "image/jp2", make: encoded("jp2") }),
  picture("JPEG XL", {
    file: "photo.jxl",
    type: "image/jxl",
    make: encoded("turnedJxl"),
    upright: TURNED_SMALL,
    secrets: [],
  }),
  picture("Photoshop", { file: "retouched.psd", type: "image/vnd.adobe.photoshop", make: encoded("psd") }),
];

const raw = (name: string, make: () => Promise<Buffer>): FileKind =>
  picture("RAW", {
    name,
    file: `DSC_1.${name}`,
    type: `image/x-${name.toLowerCase()}`,
    make,
    dated: { by: "file", at: "2012-07-14T16:05:09" },
    upright: TURNED,
    secrets: RAW_SECRETS,
  });

const CAMERAS: Record<string, RawOptions> = {
  DNG: { make: "Google", dng: true },
  NEF: { make: "NIKON CORPORATION" },
  ARW: { make: "SONY" },
  CR2: { make: "Canon", signature: "II*\0\x10\0\0\0CR\x02\0" },
  ORF: { make: "OLYMPUS IMAGING CORP.", signature: "IIRO" },
  RW2: { make: "Panasonic", signature: "IIU\0" },
  PEF: { make: "PENTAX" },
  SRW: { make: "SAMSUNG" },
};

/** Nothing encodes raw photos, so their structure is written around JPEGs. */
const RAW: FileKind[] = [
  ...Object.entries(CAMERAS).map(([name, options]) => raw(name, () => tiffRaw({ ...options, orientation: 6 }))),
  { ...raw("CR3", () => cr3(6)), secrets: RAW_SECRETS.slice(0, 1) },
  raw("RAF", () => raf(6)),
];

const SECRET_OF_VIDEO = "FilmOfNonnaRosa";
const UTC_AFTERNOON = "2019-05-04T12:33:11";
const IN_HEADER = { by: "file", at: UTC_AFTERNOON } as const;
const BY_NAME = { by: "name", at: UTC_AFTERNOON } as const;
const HALVES = "color=c=0xC8641E:s=192x108:r=24:d=2,drawbox=x=96:y=0:w=96:h=108:color=0x1E3CC8:t=fill";
const UPRIGHT_VIDEO = { width: 108, height: 192 };

/** A video of two seconds; `encode` has ffmpeg's options, and `more` those with spaces in them. */
const video = (
  row: string,
  parts: Pick<FileKind, "file" | "type"> & Partial<FileKind>,
  encode: string,
  more: string[] = [],
): FileKind => ({
  row,
  name: row,
  display: "video",
  dated: IN_HEADER,
  colours: ORANGE_BLUE,
  hasSound: true,
  secrets: [SECRET_OF_VIDEO],
  make: ({ videos }) =>
    videos.film(
      HALVES,
      parts.file,
      [...encode.split(" "), ...more, ...SECRET_TAGS],
      parts.upright && [...TURNED_BACK, ...SECRET_TAGS, ...CREATED.split(" ")],
    ),
  ...parts,
});

const SECRET_TAGS = ["title", "artist", "comment"].flatMap((tag) => ["-metadata", `${tag}=${SECRET_OF_VIDEO}`]);
/** The same quarter as the orientation 6 of pictures; ffmpeg counts the other way around. */
const TURNED_BACK = ["-metadata:s:v", "rotate=270"];
const CREATED = `-metadata creation_time=${UTC_AFTERNOON}Z`;
const DATED = `-metadata date=${UTC_AFTERNOON}`;
const X264 = "-c:v libx264 -preset veryfast -g 12";
const X265 = "-c:v libx265 -preset ultrafast -x265-params log-level=none -tag:v hvc1";
/** A camcorder's date in the pictures: zone, century, year and month; day, hour, minute and second. */
const CAMCORDER_DATE = Buffer.from([2, 0x18, 0x12, 0x20, 0x19, 0x05, 0x19, 0x04, 0x12, 0x33, 0x11]).toString("latin1");
const CAMCORDER = `h264_metadata=sei_user_data=17ee8c60f84d11d98cd60800200c9a66+MDPM${CAMCORDER_DATE}`;

const VIDEOS: FileKind[] = [
  video("MP4", { file: "film.mp4", type: "video/mp4", upright: UPRIGHT_VIDEO }, `${X264} -c:a aac ${CREATED}`),
  video(
    "MP4",
    { name: "MP4 of HEVC", file: "phone.mp4", type: "video/mp4", upright: UPRIGHT_VIDEO },
    `${X265} -c:a aac ${CREATED}`,
  ),
  video(
    "QuickTime",
    { file: "IMG_2.MOV", type: "video/quicktime", upright: UPRIGHT_VIDEO },
    `${X264} -c:a aac ${CREATED}`,
  ),
  video(
    "3GP",
    { file: "old-phone.3gp", type: "video/mp4", upright: { width: 144, height: 176 } },
    `-c:v h263 -vf scale=176:144,setsar=1 -c:a aac -ar 16000 -ac 1 ${CREATED}`,
  ),
  video(
    "Matroska",
    { file: "VID_20190504_123311.mkv", type: "video/matroska", dated: BY_NAME },
    `${X264} -c:a aac ${CREATED}`,
  ),
  video(
    "WebM",
    { file: "VID_20190504_123311.webm", type: "video/webm", dated: BY_NAME },
    `-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus ${CREATED}`,
  ),
  video("AVI", { file: "MVI_1.AVI", type: "video/vnd.avi" }, `-c:v mjpeg -pix_fmt yuvj420p -c:a pcm_s16le ${DATED}`),
  video(
    "DV in AVI",
    { file: "tape.avi", type: "video/vnd.avi" },
    `-c:v dvvideo -s 720x576 -r 25 -c:a pcm_s16le -ar 48000 -ac 2 ${DATED}`,
  ),
  // A tape has no place for words.
  video(
    "DV (`.dv`)",
    { file: "tape.dv", type: "video/dv", secrets: [] },
    `-c:v dvvideo -s 720x576 -r 25 -c:a pcm_s16le -ar 48000 -ac 2 ${CREATED}`,
  ),
  // A camcorder's stream has no place for words.
  video(
    "AVCHD (`.mts`, `.m2ts`)",
    { file: "00001.MTS", type: "video/mp2t", secrets: ["MDPM"] },
    `${X264} -c:a ac3 -f mpegts -mpegts_m2ts_mode 1 -bsf:v`,
    [CAMCORDER],
  ),
  video(
    "MPEG-1 and MPEG-2 (`.mpg`)",
    { file: "VID_20190504_123311.mpg", type: "video/mpeg", dated: BY_NAME, secrets: [] },
    "-c:v mpeg2video -r 25 -c:a mp2",
  ),
  video(
    "Windows Media (`.wmv`)",
    { file: "VID_20190504_123311.wmv", type: "video/x-ms-asf", dated: BY_NAME },
    "-c:v wmv2 -c:a wmav2",
  ),
];

/** A recording of {@link SOUNDS}; it may have another name and further tags. */
function sound(row: string, what: string, parts: Partial<FileKind> = {}, tags: string[] = []): FileKind {
  const recipe = SOUNDS.find((each) => each.what === what);
  if (!recipe) throw new Error(`There is no recipe of ${what}`);
  const file = parts.file ?? recipe.name;
  return {
    row,
    name: `${row}, ${what}`,
    file,
    type: recipe.type,
    make: ({ sounds }) => sounds.encode({ ...recipe, name: file, encode: [...recipe.encode, ...tags] }),
    display: "wave",
    dated: { by: "file", at: recipe.taken ?? "" },
    hasSound: true,
    secrets: [SECRET_OF_SOUND],
    ...parts,
  };
}

const RECORDED = { by: "name", at: "2024-07-14T16:05:09" } as const;
const DATE_TAG = ["-metadata", "DATE=2001-02-03"];
const RECORDINGS: FileKind[] = [
  sound("M4A", "an iPhone's voice memo"),
  sound("MP3", "a dictaphone's MP3 with a cover"),
  sound("WAV", "a WAV"),
  sound("AIFF", "an AIFF"),
  sound("FLAC", "a FLAC with a cover"),
  sound("Ogg (Opus, Vorbis)", "a song in Ogg Vorbis"),
  sound(
    "Ogg (Opus, Vorbis)",
    "a WhatsApp voice note",
    { dated: { by: "file", at: "2001-02-03" }, file: "note.opus" },
    DATE_TAG,
  ),
  sound("CAF", "Apple's core audio"),
  sound("WMA", "Windows' sound recorder"),
  sound("AAC", "a bare AAC", { dated: { by: "name", at: "2024-01-02" }, secrets: [] }),
  sound("WebM and Matroska with only sound", "a recording of a browser", { dated: RECORDED }),
  sound("WebM and Matroska with only sound", "a Matroska file with only sound", {
    file: "AudioRecording_20240714_160509.mka",
    dated: RECORDED,
  }),
  {
    row: "AMR",
    name: "AMR",
    file: "voicemail-20220304-101112.amr",
    type: "audio/amr",
    make: () => amrVoicemail(),
    display: "wave",
    dated: { by: "name", at: "2022-03-04T10:11:12" },
    hasSound: true,
    secrets: [],
  },
];

const FIRST_PAGE = [...PAGE_COLOURS[0], ...PAGE_COLOURS[0]];
const PAPERS: FileKind[] = [
  picture("PDF", {
    file: "Lettera_19990714_160509.pdf",
    type: "application/pdf",
    make: letter,
    dated: NAMED,
    colours: FIRST_PAGE,
    secrets: [SECRET_OF_PAPER],
  }),
  picture("TIFF with several pages", {
    file: "IMG_19990714_160509.tif",
    type: "image/tiff",
    make: scan,
    dated: NAMED,
    colours: FIRST_PAGE,
    secrets: [],
  }),
];

/** All kinds, in the order of the table. */
export const FILE_KINDS: readonly FileKind[] = [...PICTURES, ...RAW, ...VIDEOS, ...RECORDINGS, ...PAPERS];
