import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cubeOf, type HdrTransfer, type Light, measureLight } from "../../files/hdr-to-sdr.ts";
import { type Ffmpeg, run } from "./ffmpeg.ts";

/** Generous, because a program of low priority may wait for its turn for minutes. */
const TIMEOUT_MS = 10 * 60_000;
/** Only key frames of the first minutes are looked at, in this size. */
const SAMPLE = { seconds: 180, pictures: 40, width: 96, height: 54 };
const CUBE = "hdr.cube";

/** Filters that make SDR of HDR, and the folder in which ffmpeg must run for them. */
export interface ToneMap {
  filters: string[];
  folder: string;
}

/**
 * Runs `work` with the tone mapping of a recording in HDR, by how bright it is. A table of colours needs no library in
 * ffmpeg, and costs a tenth of computing with floating point numbers.
 */
export async function withToneMap<T>(
  ffmpeg: Ffmpeg,
  { transfer, reading, signal }: { transfer: HdrTransfer; reading: string[]; signal: AbortSignal },
  work: (map: ToneMap) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "skies-hdr-"));
  try {
    const light = await lightOfBeginning(ffmpeg, transfer, reading, signal);
    await writeFile(join(folder, CUBE), cubeOf(transfer, light));
    const filters = [
      // The matrix is that of all HDR, also if the file does not say so.
      "scale=in_color_matrix=bt2020",
      "format=gbrp16le",
      // A relative name, because a filter's argument cannot hold every path.
      `lut3d=file=${CUBE}:interp=tetrahedral`,
      "scale=out_color_matrix=bt709:out_range=tv",
      "format=yuv420p",
      "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709",
    ];
    return await work({ filters, folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures how bright the beginning of a recording is. */
async function lightOfBeginning(
  ffmpeg: Ffmpeg,
  transfer: HdrTransfer,
  reading: string[],
  signal: AbortSignal,
): Promise<Light> {
  const { width, height, pictures, seconds } = SAMPLE;
  const pixels = await run(
    ffmpeg.ffmpeg,
    [
      "-nostdin",
      "-hide_banner",
      "-v",
      "error",
      "-threads",
      "2",
      "-skip_frame",
      "nokey",
      ...reading,
      "-map",
      "0:V:0",
      "-an",
      "-t",
      String(seconds),
      "-frames:v",
      String(pictures),
      "-vf",
      `scale=${width}:${height}:in_color_matrix=bt2020:flags=area,format=rgb48le`,
      "-fps_mode",
      "passthrough",
      "-f",
      "rawvideo",
      "pipe:1",
    ],
    { signal, timeoutMs: TIMEOUT_MS },
  );
  // Copied, because the output may begin at an odd address.
  return measureLight(transfer, new Uint16Array(Uint8Array.from(pixels).buffer, 0, Math.floor(pixels.length / 2)), 3);
}
