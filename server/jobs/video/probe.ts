import { z } from "zod";
import { plausible, plausibleSeconds } from "../../../shared/file-numbers.ts";
import { type Ffmpeg, ProgramError, readingArguments, run } from "./ffmpeg.ts";

const number = z.coerce.number().optional().catch(undefined);
const Stream = z.object({
  codec_type: z.string().optional(),
  codec_name: z.string().optional(),
  width: number,
  height: number,
  pix_fmt: z.string().optional(),
  color_transfer: z.string().optional(),
  side_data_list: z.array(z.object({ rotation: number })).optional(),
  disposition: z.object({ attached_pic: number }).optional(),
});
const Output = z.object({
  streams: z.array(Stream).max(1000),
  format: z.object({ duration: number, bit_rate: number }),
});

export interface Probe {
  /** Its first video and audio stream. */
  picture: z.infer<typeof Stream> | undefined;
  sound: z.infer<typeof Stream> | undefined;
  /** Whether it is rotated by a quarter. */
  isTurned: boolean;
  /** Seconds; undefined if unknown. */
  duration: number | undefined;
  /** Bits a second in all. */
  bitRate: number | undefined;
}

const TIMEOUT_MS = 60_000;

/** Analyses the video at `path`; rejects with `ProgramError` if it is none. */
export async function probe({ ffprobe }: Ffmpeg, path: string, type: string, signal: AbortSignal): Promise<Probe> {
  const args = ["-v", "error", "-print_format", "json", "-show_streams", "-show_format"];
  const written = await run(ffprobe, [...args, ...readingArguments(path, type)], { signal, timeoutMs: TIMEOUT_MS });
  const output = Output.safeParse(jsonOf(written));
  if (!output.success) throw new ProgramError("Nothing could be told of it", true);
  const { streams, format } = output.data;
  const picture = streams.find((stream) => stream.codec_type === "video" && !stream.disposition?.attached_pic);
  const rotation = picture?.side_data_list?.find((data) => data.rotation !== undefined)?.rotation ?? 0;
  return {
    picture,
    sound: streams.find(({ codec_type }) => codec_type === "audio"),
    isTurned: Math.abs(rotation % 180) === 90,
    duration: plausibleSeconds(format.duration),
    bitRate: plausible(format.bit_rate, { least: 0, most: Number.MAX_SAFE_INTEGER }),
  };
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}
