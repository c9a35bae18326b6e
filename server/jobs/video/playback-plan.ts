import type { Probe } from "./probe.ts";

/** The work that makes a video playable everywhere: nothing, or a copy with copied or re-encoded streams. */
export type Plan = "unneeded" | { picture: "copy" | "encode" | "encode from HDR"; sound: "copy" | "encode" | "none" };

/** The maximum sides of the copy, in landscape or portrait. */
const LONG_SIDE = 1920;
const SHORT_SIDE = 1080;
/** The maximum bit rate: faster videos stall on many connections. */
const MOST_BITS = 16_000_000;

/**
 * Plans the copy of a video; undefined if it has no video stream. H.264 with AAC in MP4 up to 1080p plays everywhere,
 * and needs no copy if its streams were copied for visitors.
 */
export function planFor(type: string, { picture, sound, bitRate }: Probe, hasStreams: boolean): Plan | undefined {
  if (!picture?.width || !picture.height) return undefined;
  const [short, long] = [picture.width, picture.height].sort((a, b) => a - b) as [number, number];
  const plays =
    picture.codec_name === "h264" &&
    (picture.pix_fmt === "yuv420p" || picture.pix_fmt === "yuvj420p") &&
    long <= LONG_SIDE &&
    short <= SHORT_SIDE &&
    (bitRate ?? 0) <= MOST_BITS;
  const sounds = sound === undefined ? "none" : sound.codec_name === "aac" ? "copy" : "encode";
  if (plays && sounds !== "encode" && type === "video/mp4" && hasStreams) return "unneeded";
  const isHdr = picture.color_transfer === "smpte2084" || picture.color_transfer === "arib-std-b67";
  return { picture: plays ? "copy" : isHdr ? "encode from HDR" : "encode", sound: sounds };
}

/** Scales to square pixels within the maximum sides; the format requires even numbers. */
const sized = (long: number, short: number) =>
  [
    "scale=trunc(iw*max(sar\\,0.01)/2)*2:ih",
    `scale=w=if(gte(iw\\,ih)\\,min(${long}\\,iw)\\,min(${short}\\,iw)):h=if(gte(iw\\,ih)\\,min(${short}\\,ih)\\,min(${long}\\,ih))` +
      ":force_original_aspect_ratio=decrease:force_divisible_by=2",
    "setsar=1",
  ].join(",");

/** Tone mapping of HDR to SDR. */
const TONE_MAPPED =
  "zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv";

/** The maximum size of a decoded frame; no camera makes larger ones. */
const MOST_PIXELS = "70000000";
/** The maximum size in bytes; a copy that reaches it is cut off, and fails. */
export const MOST_COPY_BYTES = 2 * 1024 ** 3;

const QUIET = ["-nostdin", "-hide_banner", "-v", "error", "-y", "-threads", "2", "-max_pixels", MOST_PIXELS];
/** Removes all metadata, also that of the encoder. */
const NO_METADATA = [
  ...["-map_metadata", "-1", "-map_chapters", "-1", "-sn", "-dn"],
  ...["-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact"],
];
/** Cameras store place and clock in H.264 units of type 6 (SEI), and encoders copy captions into new ones. */
const NO_SEI = ["-bsf:v", "filter_units=remove_types=6"];

/** ffmpeg's arguments for a copy of `reading` at `path`. */
export function copyArguments(plan: Exclude<Plan, "unneeded">, reading: string[], path: string): string[] {
  const filters = [sized(LONG_SIDE, SHORT_SIDE), ...(plan.picture === "encode from HDR" ? [TONE_MAPPED] : [])];
  const pictures =
    plan.picture === "copy"
      ? ["-c:v", "copy"]
      : [
          ...["-vf", [...filters, "format=yuv420p"].join(","), "-fps_mode", "vfr", "-fpsmax", "60"],
          ...["-c:v", "libx264", "-preset", "fast", "-crf", "23", "-maxrate", "8M", "-bufsize", "16M"],
        ];
  const sound = plan.sound === "encode" ? ["-c:a", "aac", "-b:a", "128k", "-ac", "2"] : ["-c:a", "copy"];
  return [
    ...[...QUIET, ...reading, "-map", "0:V:0", "-map", "0:a:0?"],
    ...[...pictures, ...sound, ...NO_METADATA, ...NO_SEI, "-threads", "2", "-fs", String(MOST_COPY_BYTES)],
    ...["-progress", "pipe:1", "-stats_period", "1", "-movflags", "+faststart", "-f", "mp4", `file:${path}`],
  ];
}

/** ffmpeg's arguments for a poster: the most typical frame of the beginning, which is rarely black. */
export const posterArguments = (reading: string[], path: string): string[] => [
  ...[...QUIET, ...reading, "-map", "0:V:0", "-an", ...NO_METADATA],
  ...["-vf", `${sized(1280, 1280)},thumbnail=60`, "-frames:v", "1", "-q:v", "3", "-f", "image2", "-c:v", "mjpeg"],
  ...["-update", "1", "-pix_fmt", "yuvj420p", `file:${path}`],
];
