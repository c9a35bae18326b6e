import { isHdrTransfer } from "../../files/hdr-to-sdr.ts";
import { isTrimmed, type TrackEdits } from "../../files/videos/edit-lists.ts";
import { editGraph } from "./edit-graph.ts";
import type { Probe, Sound } from "./probe.ts";

/** The work that makes a video playable everywhere: nothing, or a copy with copied or re-encoded streams. */
export type Plan =
  | "unneeded"
  | { picture: "copy" | "encode" | "encode from HDR" | "none"; sound: "copy" | "encode" | "none" };

/** The maximum sides of the copy, in landscape or portrait. */
const LONG_SIDE = 1920;
const SHORT_SIDE = 1080;
/** The maximum bit rate: faster videos stall on many connections. */
const MOST_BITS = 16_000_000;

/** Two fields of lines in each picture, as camcorders record them. */
const INTERLACED = new Set<string | undefined>(["tt", "bb", "tb", "bt"]);

/** The edit list of a stream. ffprobe's id of a stream in a movie is the number of its track. */
const editsOf = (facts: Probe, stream: { id?: string | undefined } | undefined): TrackEdits | undefined =>
  facts.edits.find(({ id }) => stream?.id !== undefined && id === Number(stream.id));

const isCut = (facts: Probe, stream: { id?: string | undefined } | undefined) => {
  const edits = editsOf(facts, stream);
  return edits !== undefined && isTrimmed(edits);
};

/** Whether the packets of the original's pictures contain what a person cut off, so that they must not be copied. */
export const hasCutPictures = (facts: Probe): boolean => isCut(facts, facts.picture);

/**
 * Plans the copy of a video; undefined if it has nothing to play. AAC in MP4 plays everywhere, and H.264 with AAC in MP4 up to 1080p too; both
 * need no copy if its streams were copied for visitors. Pictures that a person cut are only copied from such
 * streams (`hasStreams`), which lack what was cut off.
 */
export function planFor(type: string, facts: Probe, hasStreams: boolean): Plan | undefined {
  const { picture, sounds, hasUnknownSound, bitRate } = facts;
  const isAac = sounds.every(({ codec_name }) => codec_name === "aac");
  if (type.startsWith("audio/")) {
    if (sounds.length === 0) return undefined;
    if (isAac && !hasUnknownSound && type === "audio/mp4" && hasStreams) return "unneeded";
    return { picture: "none", sound: isAac && !sounds.some((sound) => isCut(facts, sound)) ? "copy" : "encode" };
  }
  if (!picture?.width || !picture.height) return undefined;
  const [short, long] = [picture.width, picture.height].sort((a, b) => a - b) as [number, number];
  const plays =
    picture.codec_name === "h264" &&
    (picture.pix_fmt === "yuv420p" || picture.pix_fmt === "yuvj420p") &&
    !INTERLACED.has(picture.field_order) &&
    long <= LONG_SIDE &&
    short <= SHORT_SIDE &&
    (bitRate ?? 0) <= MOST_BITS;
  if (plays && isAac && !hasUnknownSound && type === "video/mp4" && hasStreams) return "unneeded";
  const canCopy = plays && (hasStreams || !hasCutPictures(facts));
  const copiesSound = isAac && (canCopy || !sounds.some((sound) => isCut(facts, sound)));
  return {
    picture: canCopy ? "copy" : isHdrTransfer(picture.color_transfer) ? "encode from HDR" : "encode",
    sound: sounds.length === 0 ? "none" : copiesSound ? "copy" : "encode",
  };
}

/** Scales to square pixels within the maximum sides; the format requires even numbers. */
const sized = (long: number, short: number) =>
  [
    "scale=trunc(iw*max(sar\\,0.01)/2)*2:ih",
    `scale=w=if(gte(iw\\,ih)\\,min(${long}\\,iw)\\,min(${short}\\,iw)):h=if(gte(iw\\,ih)\\,min(${short}\\,ih)\\,min(${long}\\,ih))` +
      ":force_original_aspect_ratio=decrease:force_divisible_by=2",
    "setsar=1",
  ].join(",");

/** A picture for each field, so that motion stays smooth; pictures that are not marked as interlaced stay. */
const DEINTERLACED = "bwdif=mode=send_field:deint=interlaced";
const ONE_OF_FIELDS = "bwdif=mode=send_frame:deint=interlaced";

/** The maximum size of a decoded frame; no camera makes larger ones. */
const MOST_PIXELS = "70000000";
/** The maximum size in bytes; a copy that reaches it is cut off, and fails. */
export const MOST_COPY_BYTES = 2 * 1024 ** 3;

export const QUIET = ["-nostdin", "-hide_banner", "-v", "error", "-y", "-threads", "2", "-max_pixels", MOST_PIXELS];
/** Removes all metadata, also that of the encoder. */
export const NO_METADATA = [
  "-map_metadata",
  "-1",
  "-map_chapters",
  "-1",
  "-sn",
  "-dn",
  "-fflags",
  "+bitexact",
  "-flags:v",
  "+bitexact",
  "-flags:a",
  "+bitexact",
];
/** Cameras store place and clock in H.264 units of type 6 (SEI), and encoders copy captions into new ones. */
export const NO_SEI = ["-bsf:v", "filter_units=remove_types=6"];

interface Copying {
  plan: Exclude<Plan, "unneeded">;
  /** The arguments for reading the source, and its facts. */
  reading: string[];
  facts: Probe;
  /** The filters that make SDR of HDR. */
  toneMap?: string[] | undefined;
}

/** ffmpeg's arguments for a copy at `path`. */
export function copyArguments({ plan, reading, facts, toneMap = [] }: Copying, path: string): string[] {
  const isInterlaced = INTERLACED.has(facts.picture?.field_order);
  const pictureFilters = [
    ...(isInterlaced ? [DEINTERLACED] : []),
    sized(LONG_SIDE, SHORT_SIDE),
    ...toneMap,
    "format=yuv420p",
  ].join(",");
  const pictures =
    plan.picture === "none"
      ? ["-vn"]
      : plan.picture === "copy"
        ? ["-c:v", "copy"]
        : [
            "-fps_mode",
            "vfr",
            "-fpsmax",
            "60",
            "-c:v",
            "libx264",
            "-preset",
            "fast",
            "-crf",
            "23",
            "-maxrate",
            "8M",
            "-bufsize",
            "16M",
          ];
  const sound =
    plan.sound === "copy" || plan.sound === "none"
      ? ["-c:a", "copy"]
      : ["-c:a", "aac", ...(plan.picture === "none" ? ["-b:a", "160k", "-ar", "48000"] : ["-b:a", "128k"])];
  return [
    ...QUIET,
    ...inputs({ plan, reading, facts }, pictureFilters),
    ...pictures,
    ...sound,
    ...NO_METADATA,
    ...facts.sounds.flatMap(language),
    ...(plan.picture === "none" ? [] : NO_SEI),
    "-threads",
    "2",
    "-fs",
    String(MOST_COPY_BYTES),
    "-progress",
    "pipe:1",
    "-stats_period",
    "1",
    "-movflags",
    "+faststart",
    "-f",
    "mp4",
    `file:${path}`,
  ];
}

/** The arguments for reading, choosing and filtering streams. */
function inputs({ plan, reading, facts }: Copying, pictureFilters: string): string[] {
  const { picture, sounds } = facts;
  const edited = [picture, ...sounds].some((stream) => editsOf(facts, stream)?.isComplex);
  if (edited && plan.picture !== "copy" && plan.picture !== "none") {
    const graph = editGraph(
      { edits: editsOf(facts, picture), filters: pictureFilters },
      sounds.map((sound) => ({ index: sound.index, edits: editsOf(facts, sound), filters: soundFilters(sound) })),
    );
    // Our own filters apply the lists, because ffmpeg ignores speeds and some pauses.
    return ["-ignore_editlist", "1", "-copyts", ...reading, ...graph];
  }
  return [
    ...reading,
    ...(plan.picture === "none" ? [] : ["-map", "0:V:0"]),
    ...(plan.picture === "copy" || plan.picture === "none" ? [] : ["-vf", pictureFilters]),
    ...sounds.flatMap(({ index }) => ["-map", `0:a:${index}`]),
    ...(plan.sound === "encode"
      ? sounds.flatMap((sound, at) => [`-filter:a:${at}`, `aresample=async=1:first_pts=0,${soundFilters(sound)}`])
      : []),
  ];
}

/** The channels of a copy. A single one stays single, because ffmpeg would make two quieter ones of it. */
function soundFilters({ channels = 2 }: Sound): string {
  if (channels === 1) return "aformat=sample_fmts=fltp:channel_layouts=mono";
  const stereo = "aformat=sample_fmts=fltp:channel_layouts=stereo";
  // The sum of several channels may be too loud; the level of each stays.
  return channels > 2 ? `${stereo},alimiter=limit=0.97:level=0,aformat=sample_fmts=fltp` : stereo;
}

/** The language of a copy's sound, by which players offer it. */
const language = ({ tags }: Sound, at: number) =>
  /^[a-z]{3}$/.test(tags?.language ?? "") ? [`-metadata:s:a:${at}`, `language=${tags?.language}`] : [];

/** JPEGs have the matrix of BT.601, whatever the video has. */
const AS_JPEG = "scale=out_color_matrix=bt601:out_range=pc,format=yuvj420p";

/** ffmpeg's arguments for a poster: the most typical frame of the beginning, which is rarely black. */
export const posterArguments = (
  { reading, facts, toneMap = [] }: { reading: string[]; facts?: Probe | undefined; toneMap?: string[] | undefined },
  path: string,
): string[] => {
  const isInterlaced = INTERLACED.has(facts?.picture?.field_order);
  const filters = [...(isInterlaced ? [ONE_OF_FIELDS] : []), sized(1280, 1280), ...toneMap, "thumbnail=60", AS_JPEG];
  return [
    ...QUIET,
    ...reading,
    "-map",
    "0:V:0",
    "-an",
    ...NO_METADATA,
    "-vf",
    filters.join(","),
    "-frames:v",
    "1",
    "-q:v",
    "3",
    "-f",
    "image2",
    "-c:v",
    "mjpeg",
    "-update",
    "1",
    `file:${path}`,
  ];
};
