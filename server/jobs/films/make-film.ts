import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import type { Files } from "../../files/files.ts";
import { MissingBytesError } from "../../files/object-store.ts";
import { UnreadablePictureError } from "../../files/pictures/pictures.ts";
import type { PictureKey } from "../../files/pictures/renditions.ts";
import { type Ffmpeg, ProgramError, readingArguments, run } from "../video/ffmpeg.ts";
import { NO_METADATA, NO_SEI, QUIET } from "../video/playback-plan.ts";
import { captionPicture, FILM } from "./caption.ts";

/** A photo of a film. */
export interface FilmPhoto extends PictureKey {
  id: string;
  caption: string;
  /** Whether it is higher than wide. */
  isPortrait: boolean;
}

export interface FilmPlan {
  photos: FilmPhoto[];
  /** Seconds for each photo. */
  pace: number;
  showsCaptions: boolean;
  /** A local file with AAC in MP4; undefined for a silent film. */
  music: string | undefined;
}

interface Making {
  signal: AbortSignal;
  /** Called with the progress from 0 to 1, after each photo. */
  onProgress: (part: number) => Promise<void>;
}

/** No photo of a slideshow can be read. */
export class EmptyFilmError extends Error {}

const RATE = 25;
const FADE_SECONDS = 1;
const MUSIC_FADE_SECONDS = 3;
/** The share of the work that the pictures are. */
const PICTURES = 0.95;
/** Generous, because a program of low priority may wait for its turn for minutes. */
const TIMEOUT_MS = 20 * 60_000;

const BLACK = { r: 0, g: 0, b: 0 };

/**
 * Writes a film in H.264 and AAC at `path`: each photo for its time, with soft changes. Each change is encoded by itself,
 * so that memory does not grow with the number of photos, and the pieces are joined without encoding. Resolves to its
 * length in seconds and the ids of the photos in it.
 */
export async function makeFilm(
  ffmpeg: Ffmpeg,
  files: Files,
  { photos, pace, showsCaptions, music }: FilmPlan,
  path: string,
  making: Making,
): Promise<{ seconds: number; ids: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), "skies-film-"));
  try {
    const pictures = [join(folder, "even.rgb"), join(folder, "odd.rgb")] as const;
    const before = (at: number) => pictures[(at + 1) % 2] ?? "";
    await writeFile(before(0), Buffer.alloc(FILM.width * FILM.height * 3));
    const ids: string[] = [];
    for (const [at, photo] of photos.entries()) {
      making.signal.throwIfAborted();
      const slide = await drawSlide(files, photo, showsCaptions);
      if (slide) {
        const place = ids.push(photo.id) - 1;
        await writeFile(pictures[place % 2] ?? "", slide);
        const from = { before: before(place), now: pictures[place % 2] ?? "" };
        await encode(ffmpeg, pieceArguments(from, pace, join(folder, pieceName(place))), making.signal, folder);
      }
      await making.onProgress(((at + 1) / photos.length) * PICTURES);
    }
    if (ids.length === 0) throw new EmptyFilmError();
    const list = ids.map((_id, place) => `file '${pieceName(place)}'\n`).join("");
    await writeFile(join(folder, "pieces.txt"), list);
    const seconds = ids.length * pace;
    await encode(ffmpeg, joinArguments(join(folder, "pieces.txt"), { music, seconds }, path), making.signal, folder);
    if ((await stat(path)).size === 0) throw new ProgramError("The film is empty", true);
    return { seconds, ids };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const pieceName = (place: number) => `piece-${place}.mp4`;

const encode = (ffmpeg: Ffmpeg, args: string[], signal: AbortSignal, folder: string) =>
  run(ffmpeg.ffmpeg, args, { signal, timeoutMs: TIMEOUT_MS, folder, onLine: () => {} });

/** Draws a photo on black, with its caption, as pixels; undefined if it cannot be read. */
async function drawSlide(files: Files, photo: FilmPhoto, showsCaptions: boolean): Promise<Buffer | undefined> {
  try {
    // A rendition is upright, in sRGB and without metadata; of an animation, the first picture is drawn.
    const rendition = await files.renditions.file(photo, photo.isPortrait ? 1600 : 2560);
    const { width, height } = FILM;
    const slide = await sharp(rendition.path)
      .resize(width, height, { fit: "contain", background: BLACK, kernel: "lanczos3" })
      .flatten({ background: BLACK })
      .toColourspace("srgb")
      .removeAlpha()
      .png({ compressionLevel: 0 })
      .toBuffer();
    const caption = showsCaptions ? await captionPicture(photo.caption) : undefined;
    return await sharp(slide)
      .composite(caption ? [{ input: caption }] : [])
      .removeAlpha()
      .raw()
      .toBuffer();
  } catch (error) {
    if (error instanceof UnreadablePictureError || error instanceof MissingBytesError) return undefined;
    throw error;
  }
}

/** Arguments that contain no spaces. */
const wordsOf = (text: string) => text.split(" ");

const readingSlide = (path: string) => [
  ...wordsOf("-protocol_whitelist file -f rawvideo -pixel_format rgb24"),
  ...wordsOf(`-video_size ${FILM.width}x${FILM.height} -framerate ${RATE} -i`),
  `file:${path}`,
];

/** ffmpeg's arguments for the time of one photo, which begins with the change from the one before. */
function pieceArguments({ before, now }: { before: string; now: string }, pace: number, path: string): string[] {
  const still = (seconds: number) =>
    `scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,loop=loop=-1:size=1,trim=end_frame=${seconds * RATE},setpts=N/${RATE}/TB,fps=${RATE},settb=1/${RATE}`;
  const filters = `[0:v]${still(FADE_SECONDS)}[a];[1:v]${still(pace)}[b];[a][b]xfade=transition=fade:duration=${FADE_SECONDS}:offset=0,format=yuv420p[v]`;
  return [
    ...QUIET,
    ...readingSlide(before),
    ...readingSlide(now),
    "-filter_complex",
    filters,
    ...wordsOf(`-map [v] -frames:v ${pace * RATE}`),
    // Without frames that refer to later ones, pieces can be joined without gaps.
    ...wordsOf(`-c:v libx264 -preset veryfast -tune stillimage -crf 20 -bf 0 -g ${2 * RATE}`),
    ...wordsOf(`-profile:v high -level:v 4.1 -maxrate 10M -bufsize 10M -r ${RATE}`),
    ...wordsOf("-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv"),
    ...NO_METADATA,
    ...wordsOf("-threads 2 -video_track_timescale 12800 -f mp4"),
    `file:${path}`,
  ];
}

/** ffmpeg's arguments that join the pieces and add the sound. Some projectors refuse a film without a sound track. */
function joinArguments(
  list: string,
  { music, seconds }: { music: string | undefined; seconds: number },
  path: string,
): string[] {
  const sound = music
    ? ["-stream_loop", "-1", ...readingArguments(music, "audio/mp4")]
    : ["-f", "lavfi", "-i", "anullsrc=r=48000:cl=stereo"];
  const fade = Math.min(MUSIC_FADE_SECONDS, seconds / 2);
  return [
    ...QUIET,
    ...wordsOf("-protocol_whitelist file -f concat -safe 0 -i"),
    `file:${list}`,
    ...sound,
    ...wordsOf("-map 0:v:0 -map 1:a:0 -c:v copy"),
    ...wordsOf(`-af aresample=48000,aformat=channel_layouts=stereo,afade=t=out:st=${seconds - fade}:d=${fade}`),
    ...wordsOf(`-c:a aac -b:a 160k -t ${seconds}`),
    ...NO_METADATA,
    ...NO_SEI,
    ...wordsOf("-threads 2 -movflags +faststart -f mp4"),
    `file:${path}`,
  ];
}
