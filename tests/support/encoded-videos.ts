import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureFfmpeg } from "../../scripts/setup/ffmpeg.mjs";

const run = promisify(execFile);

/** A video that ffmpeg makes for a test, with private data in every place of its container. */
export interface VideoRecipe {
  name: string;
  /** The file extension. */
  extension: string;
  /** ffmpeg's options for encoding pictures and sound. */
  encode: string[];
  /** Further inputs, and options that come last. */
  inputs?: string[];
  /** Options of a second run that copies the streams, which is the only way to write a rotation. */
  rewrite?: string[];
  sounds: number;
  /** Whether Chromium can play the visitors' copy, which depends only on its codecs. */
  plays: boolean;
  /** Whether only ffmpeg can make a copy of it. */
  needsFfmpeg?: boolean;
}

const PICTURES: Record<string, string[]> = {
  // The bit stream filter writes metadata between the pictures, like cameras.
  h264: [
    "-c:v",
    "libx264",
    "-preset",
    "veryfast",
    "-bf",
    "2",
    "-g",
    "12",
    "-bsf:v",
    "h264_metadata=sei_user_data=086f3693-b7b3-4f2c-9653-21492feee5b8+SeiOfNonnaRosa",
  ],
  hevc: ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:keyint=12", "-tag:v", "hvc1"],
  vp8: ["-c:v", "libvpx", "-deadline", "realtime", "-g", "12"],
  vp9: ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-g", "12"],
  av1: ["-c:v", "libaom-av1", "-cpu-used", "8", "-usage", "realtime", "-g", "12"],
};
const SOUNDS: Record<string, string[]> = {
  aac: ["-c:a", "aac"],
  mp3: ["-c:a", "libmp3lame"],
  opus: ["-c:a", "libopus"],
  vorbis: ["-c:a", "libvorbis"],
  flac: ["-c:a", "flac", "-strict", "-2"],
  pcm: ["-c:a", "pcm_s16le"],
  pcm24: ["-c:a", "pcm_s24le"],
  none: ["-an"],
};
/** Codecs that the tests' Chromium cannot decode. */
const UNPLAYABLE = new Set(["hevc"]);

const recipe = (
  name: string,
  extension: string,
  picture: string,
  sound: string,
  more: string[] = [],
  rest: Partial<VideoRecipe> = {},
): VideoRecipe => ({
  name,
  extension,
  encode: [...(PICTURES[picture] ?? []), ...(SOUNDS[sound] ?? []), ...more],
  sounds: sound === "none" ? 0 : 1,
  plays: !UNPLAYABLE.has(picture),
  ...rest,
});

const cross = (label: string, extension: string, pictures: string[], sounds: string[], more: string[] = []) =>
  pictures.flatMap((picture) =>
    sounds.map((sound) => recipe(`${label} of ${picture} with ${sound}`, extension, picture, sound, more)),
  );

const FRAGMENTED = ["-movflags", "frag_keyframe+empty_moov+default_base_moof"];
const TWO_SOUNDS = ["-f", "lavfi", "-i", "sine=f=880:d=2"];
const feature = (name: string, more: string[], rest: Partial<VideoRecipe> = {}, extension = "mp4") =>
  recipe(`${extension} ${name}`, extension, "h264", "aac", more, rest);
const old = (name: string, extension: string, encode: string[]): VideoRecipe => ({
  name,
  extension,
  encode,
  sounds: 1,
  plays: true,
  needsFfmpeg: true,
});

/** Containers, codecs, sounds and tables as in files of phones, cameras and programs. */
export const RECIPES: VideoRecipe[] = [
  ...cross("mp4", "mp4", ["h264", "hevc", "vp9", "av1"], ["aac", "mp3", "opus", "none"]),
  ...cross("mov", "mov", ["h264", "hevc"], ["aac", "pcm", "pcm24", "none"], ["-movflags", "use_metadata_tags"]),
  ...cross("fragmented mp4", "mp4", ["h264", "hevc", "vp9", "av1"], ["aac", "opus"], FRAGMENTED),
  ...cross("3gp", "3gp", ["h264"], ["aac", "none"]),
  ...cross("3g2", "3g2", ["h264"], ["aac"]),
  ...cross("webm", "webm", ["vp8", "vp9", "av1"], ["opus", "vorbis", "none"]),
  ...cross("mkv", "mkv", ["h264", "hevc", "vp9"], ["aac", "opus", "mp3", "flac"]),
  feature("with its tables first", ["-movflags", "faststart"]),
  feature("with two sounds", ["-map", "0:v", "-map", "1:a", "-map", "2:a"], { inputs: TWO_SOUNDS, sounds: 2 }),
  feature("with subtitles", ["-map", "0:v", "-map", "1:a", "-map", "2:s", "-c:s", "mov_text"], {
    inputs: ["SUBTITLES"],
  }),
  feature("with chapters", ["-map", "0:v", "-map", "1:a", "-map_chapters", "2"], { inputs: ["CHAPTERS"] }),
  ...[90, 180, 270].map((angle) =>
    feature(`turned by ${angle}`, [], { rewrite: ["-metadata:s:v", `rotate=${angle}`] }),
  ),
  feature("with a late sound", ["-af", "adelay=400", "-output_ts_offset", "0.3"]),
  feature("cut at its beginning", ["-ss", "0.37"]),
  feature("of a variable frame rate", ["-vf", "select='not(between(mod(n,7),2,4))'", "-fps_mode", "vfr"]),
  feature("of open groups", ["-x264-params", "open-gop=1:bframes=3:b-pyramid=normal"]),
  // Chromium cannot seek in the original either.
  feature("of intra refresh", ["-x264-params", "intra-refresh=1:keyint=12"], { plays: false }),
  feature("of stereo", ["-ac", "2"]),
  feature("of high definition", ["-s", "1280x720"]),
  feature("with a time code", ["-timecode", "10:11:12:13"], {}, "mov"),
  feature("in small pieces", ["-movflags", "frag_every_frame+empty_moov"]),
  feature("with an index of its pieces", ["-movflags", "frag_keyframe+empty_moov+default_base_moof+global_sidx"]),
  feature("with tables and pieces", ["-movflags", "frag_keyframe"], { needsFfmpeg: true }),
  feature("of a camcorder", ["-mpegts_m2ts_mode", "1", "-c:a", "ac3"], { needsFfmpeg: true }, "m2ts"),
  feature("of a television", [], { needsFfmpeg: true }, "ts"),
  old("avi of MPEG-4 with mp3", "avi", ["-c:v", "mpeg4", "-c:a", "libmp3lame"]),
  old("avi of M-JPEG with PCM", "avi", ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-c:a", "pcm_s16le"]),
  old("mov of M-JPEG with PCM", "mov", ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "-c:a", "pcm_s16le"]),
  old("mpg of MPEG-2 with mp2", "mpg", ["-c:v", "mpeg2video", "-r", "25", "-c:a", "mp2"]),
  old("wmv", "wmv", ["-c:v", "wmv2", "-c:a", "wmav2"]),
  old("3gp of MPEG-4 with aac", "3gp", ["-c:v", "mpeg4", "-c:a", "aac"]),
];

/** The recording time of all videos, in each format of the containers. */
const RECORDED = "2019-05-04T12:33:11";
const moment = Date.parse(`${RECORDED}Z`);
const movieTime = Buffer.alloc(4);
movieTime.writeUInt32BE(moment / 1000 + 2_082_844_800);
const matroskaTime = Buffer.alloc(8);
matroskaTime.writeBigInt64BE(BigInt(moment - Date.parse("2001-01-01T00:00:00Z")) * 1_000_000n);

const WORDS = [
  "TitleOfNonnaRosa",
  "ArtistOfNonnaRosa",
  "NoteOfNonnaRosa",
  "StreamOfNonnaRosa",
  "SeiOfNonnaRosa",
  "ChapterOfNonnaRosa",
  "SubtitleOfNonnaRosa",
  "TailOfNonnaRosa",
  "MakeOfSkiesPhone",
  "ModelOfSkiesPhone",
  "+51.5007",
  "-000.1246",
  "2019-05-04",
  "x264 - core",
  "x265 (build",
];

/** Data that no visitor may get: text in 8 and 16 bits, and binary times. */
export const PLANTED: Buffer[] = [
  ...WORDS.flatMap((word) => [Buffer.from(word), Buffer.from(word, "utf16le")]),
  movieTime,
  matroskaTime,
];

const METADATA = [
  "-metadata",
  "title=TitleOfNonnaRosa",
  "-metadata",
  "artist=ArtistOfNonnaRosa",
  "-metadata",
  "comment=NoteOfNonnaRosa",
  "-metadata",
  "location=+51.5007-000.1246/",
  "-metadata",
  "make=MakeOfSkiesPhone",
  "-metadata",
  "model=ModelOfSkiesPhone",
  "-metadata",
  "com.apple.quicktime.model=ModelOfSkiesPhone",
  "-metadata",
  `date=${RECORDED.slice(0, 10)}`,
  "-metadata",
  "com.apple.quicktime.location.ISO6709=+51.5007-000.1246+020.000/",
  "-metadata",
  `creation_time=${RECORDED}Z`,
  "-metadata:s",
  "title=StreamOfNonnaRosa",
  "-metadata:s",
  "handler_name=StreamOfNonnaRosa",
];

/** Encodes videos into a temporary folder, which `close` removes. */
export async function openEncoder() {
  const programs = await ensureFfmpeg();
  const folder = await mkdtemp(join(tmpdir(), "skies-encoded-"));
  const ffmpeg = { ffmpeg: join(programs, "ffmpeg"), ffprobe: join(programs, "ffprobe") };
  await writeFile(join(folder, "words.srt"), "1\n00:00:00,100 --> 00:00:01,900\nSubtitleOfNonnaRosa +51.5007\n");
  await writeFile(
    join(folder, "chapters.txt"),
    ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=ChapterOfNonnaRosa\n",
  );
  const inputs: Record<string, string[]> = {
    SUBTITLES: ["-i", join(folder, "words.srt")],
    CHAPTERS: ["-f", "ffmetadata", "-i", join(folder, "chapters.txt")],
  };
  let count = 0;

  return {
    ffmpeg,
    close: () => rm(folder, { recursive: true, force: true }),

    /** A test picture of two seconds with a tone. */
    async encode({ extension, encode, inputs: more = [], rewrite }: VideoRecipe): Promise<Buffer> {
      count += 1;
      let path = join(folder, `${count}.${extension}`);
      await run(ffmpeg.ffmpeg, [
        "-v",
        "error",
        "-y",
        "-f",
        "lavfi",
        "-i",
        "testsrc2=s=192x108:r=24:d=2",
        "-f",
        "lavfi",
        "-i",
        "sine=d=2",
        ...more.flatMap((input) => inputs[input] ?? [input]),
        "-pix_fmt",
        "yuv420p",
        ...encode,
        ...METADATA,
        path,
      ]);
      if (rewrite) {
        const again = join(folder, `${count}-again.${extension}`);
        await run(ffmpeg.ffmpeg, ["-v", "error", "-y", "-i", path, "-c", "copy", ...rewrite, ...METADATA, again]);
        path = again;
      }
      const bytes = await readFile(path);
      // Some cameras append their own boxes.
      const tail = Buffer.concat([Buffer.from([0, 0, 0, 0x28]), Buffer.from("skipTailOfNonnaRosa".padEnd(36))]);
      return /mp4|mov|3g/.test(extension) ? Buffer.concat([bytes, tail]) : bytes;
    },

    /** Two seconds of a picture of ffmpeg's with a tone, under this name; `rewrite` is of a second run that copies the streams. */
    async film(picture: string, name: string, encode: string[], rewrite?: string[]): Promise<Buffer> {
      const own = await mkdtemp(join(folder, "film-"));
      const [path, again] = [join(own, name), join(own, `again-${name}`)];
      const inputs = ["-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", "sine=d=2"];
      await run(ffmpeg.ffmpeg, ["-v", "error", "-y", ...inputs, "-pix_fmt", "yuv420p", ...encode, path]);
      if (!rewrite) return readFile(path);
      await run(ffmpeg.ffmpeg, ["-v", "error", "-y", "-i", path, "-c", "copy", ...rewrite, again]);
      return readFile(again);
    },

    /** The first picture of a video, as a PNG. */
    async firstPicture(bytes: Buffer): Promise<Buffer> {
      const own = await mkdtemp(join(folder, "picture-"));
      const [path, picture] = [join(own, "video"), join(own, "picture.png")];
      await writeFile(path, bytes);
      await run(ffmpeg.ffmpeg, ["-v", "error", "-i", path, "-frames:v", "1", picture]);
      return readFile(picture);
    },

    /** Ten pictures, with ffmpeg's options for their encoding and metadata. */
    async pictures(extension: string, encode: string[]): Promise<Buffer> {
      count += 1;
      const path = join(folder, `${count}.${extension}`);
      const source = ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=10:d=1"];
      await run(ffmpeg.ffmpeg, [...source, "-pix_fmt", "yuv420p", ...encode, path]);
      return readFile(path);
    },

    /** An incompressible H.264 video of noise: 345,600 bytes a picture. */
    async noise(pictures: number): Promise<Buffer> {
      const path = join(folder, "noise.mp4");
      await run(ffmpeg.ffmpeg, [
        "-v",
        "error",
        "-y",
        "-f",
        "rawvideo",
        "-pix_fmt",
        "yuv420p",
        "-s",
        "640x360",
        "-r",
        "24",
        "-i",
        "/dev/urandom",
        "-frames:v",
        `${pictures}`,
        "-c:v",
        "libx264",
        "-preset",
        "ultrafast",
        "-qp",
        "0",
        path,
      ]);
      return readFile(path);
    },

    /** The number of packets in each kind of stream, and the duration in seconds. */
    async describe(bytes: Buffer) {
      const path = join(folder, randomUUID());
      await writeFile(path, bytes);
      const { stdout } = await run(ffmpeg.ffprobe, [
        "-v",
        "error",
        "-count_packets",
        "-show_streams",
        "-show_format",
        "-of",
        "json",
        path,
      ]);
      const { streams, format } = JSON.parse(stdout) as {
        streams: { codec_type: string; codec_name: string; nb_read_packets: string; width?: number; height?: number }[];
        format: { duration?: string };
      };
      const ofKind = (kind: string) => streams.filter(({ codec_type }) => codec_type === kind);
      return {
        kinds: [...new Set(streams.map(({ codec_type }) => codec_type))].sort(),
        pictures: ofKind("video").map(({ codec_name, nb_read_packets }) => [codec_name, Number(nb_read_packets)]),
        sounds: ofKind("audio").map(
          ({ codec_name, nb_read_packets }) => [codec_name, Number(nb_read_packets)] as const,
        ),
        duration: Number(format.duration ?? 0),
      };
    },

    /** The decoder's messages about a video; empty if it plays to its end. */
    async complaints(bytes: Buffer): Promise<string> {
      const path = join(folder, randomUUID());
      await writeFile(path, bytes);
      return run(ffmpeg.ffmpeg, ["-v", "error", "-i", path, "-map", "0:v?", "-map", "0:a?", "-f", "null", "-"]).then(
        ({ stderr }) =>
          stderr
            .split("\n")
            // Rounded times may collide in the coarser times of ffmpeg's own output.
            .filter((line) => line !== "" && !line.includes("non monotonically increasing dts to muxer"))
            .join("\n"),
        (error: Error) => error.message,
      );
    },
  };
}

export type Encoder = Awaited<ReturnType<typeof openEncoder>>;
