import { z } from "zod";
import { plausible, plausibleSeconds, plausibleSide } from "../../../shared/file-numbers.ts";
import { playedSeconds, readEdits, type TrackEdits } from "../../files/videos/edit-lists.ts";
import { UnreadableVideoError } from "../../files/videos/video-error.ts";
import { type Ffmpeg, ProgramError, readingArguments, run } from "./ffmpeg.ts";

const number = z.coerce.number().optional().catch(undefined);
const Stream = z.object({
  codec_type: z.string().optional(),
  codec_name: z.string().optional(),
  id: z.string().optional(),
  width: number,
  height: number,
  pix_fmt: z.string().optional(),
  sample_aspect_ratio: z.string().optional(),
  field_order: z.string().optional(),
  color_transfer: z.string().optional(),
  channels: number,
  tags: z.object({ language: z.string().optional() }).optional().catch(undefined),
  side_data_list: z.array(z.object({ rotation: number })).optional(),
  disposition: z.object({ attached_pic: number }).optional(),
});
const Output = z.object({
  streams: z.array(Stream).max(1000),
  format: z.object({ duration: number, bit_rate: number }),
});
type StreamFacts = z.infer<typeof Stream>;

/** A sound track that ffmpeg can decode. */
export interface Sound extends StreamFacts {
  /** Its number among the sound tracks, also those that cannot be decoded. */
  index: number;
}

export interface Probe {
  /** Its first video stream. */
  picture: StreamFacts | undefined;
  /** The sounds that a copy gets: the first that can be decoded, or one for each language. */
  sounds: Sound[];
  /** Whether a sound track before these cannot be decoded. */
  hasUnknownSound: boolean;
  /** Whether it is rotated by a quarter. */
  isTurned: boolean;
  /** What is played of its tracks; empty if its container has no edit lists. */
  edits: TrackEdits[];
  /** Seconds, as played; undefined if unknown. */
  duration: number | undefined;
  /** Bits a second in all. */
  bitRate: number | undefined;
}

/** Generous, because a program of low priority may wait for its turn for minutes. */
const TIMEOUT_MS = 10 * 60_000;

/** Analyses the video at `path`; rejects with `ProgramError` if it is none. */
export async function probe(ffmpeg: Ffmpeg, path: string, type: string, signal: AbortSignal): Promise<Probe> {
  const args = ["-v", "error", "-print_format", "json", "-show_streams", "-show_format"];
  const reading = readingArguments(path, type);
  const written = await run(ffmpeg.ffprobe, [...args, ...reading], { signal, timeoutMs: TIMEOUT_MS });
  const output = Output.safeParse(jsonOf(written));
  if (!output.success) throw new ProgramError("Nothing could be told of it", true);
  const { streams, format } = output.data;
  const picture = streams.find((stream) => stream.codec_type === "video" && !stream.disposition?.attached_pic);
  const rotation = picture?.side_data_list?.find((data) => data.rotation !== undefined)?.rotation ?? 0;
  const tracks = streams.filter(({ codec_type }) => codec_type === "audio");
  const decoders = await soundDecoders(ffmpeg, signal);
  const decodable = tracks
    .map((track, index) => ({ ...track, index }))
    .filter(({ codec_name }) => codec_name !== undefined && decoders.has(codec_name));
  const edits = await readEdits(path).catch((error: unknown) => {
    if (error instanceof UnreadableVideoError) throw new ProgramError(error.reason, true);
    throw error;
  });
  return {
    picture,
    sounds: soundsOf(decodable),
    hasUnknownSound: (decodable[0]?.index ?? tracks.length) > 0,
    isTurned: Math.abs(rotation % 180) === 90,
    edits,
    duration: plausibleSeconds(playedSeconds(edits)) ?? plausibleSeconds(format.duration),
    bitRate: plausible(format.bit_rate, { least: 0, most: Number.MAX_SAFE_INTEGER }),
  };
}

/** The size of its pictures as seen, upright and in square pixels; undefined if unknown. */
export function uprightSize({ picture, isTurned }: Probe): { width: number | undefined; height: number | undefined } {
  const [across = 1, down = 1] = (picture?.sample_aspect_ratio ?? "1:1").split(":").map(Number);
  const aspect = plausible(across / down, { least: 0.05, most: 20 }) ?? 1;
  const width = plausibleSide((picture?.width ?? 0) * aspect);
  const height = plausibleSide(picture?.height);
  return isTurned ? { width: height, height: width } : { width, height };
}

/** The most languages of a copy. */
const MAX_SOUNDS = 8;

/** The first sound, or the first of each language if there are several. */
function soundsOf(sounds: Sound[]): Sound[] {
  const languageOf = ({ tags }: Sound) => (tags?.language && tags.language !== "und" ? tags.language : undefined);
  const languages = new Set(sounds.map(languageOf).filter((language) => language !== undefined));
  if (languages.size < 2) return sounds.slice(0, 1);
  const firsts = [...languages].flatMap((language) => sounds.find((sound) => languageOf(sound) === language) ?? []);
  return firsts.slice(0, MAX_SOUNDS);
}

const decodersOf = new Map<string, Promise<Set<string>>>();

/** The names of all codecs of sound that this ffmpeg decodes. */
function soundDecoders({ ffmpeg }: Ffmpeg, signal: AbortSignal): Promise<Set<string>> {
  const existing = decodersOf.get(ffmpeg);
  if (existing) return existing;
  const listing = run(ffmpeg, ["-v", "error", "-hide_banner", "-decoders"], { signal, timeoutMs: TIMEOUT_MS }).then(
    (written) =>
      new Set(
        // ` A....D libopus    libopus Opus (codec opus)`: a decoder and the codec, if its name differs.
        [...written.toString("utf8").matchAll(/^ A\S{5} (\S+)(?:.*\(codec (\S+)\))?/gm)].flatMap(([, name, codec]) =>
          [name, codec].filter((one) => one !== undefined),
        ),
      ),
  );
  decodersOf.set(ffmpeg, listing);
  listing.catch(() => decodersOf.delete(ffmpeg));
  return listing;
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}
