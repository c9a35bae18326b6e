import { type Box, boxAt, boxesIn, contentOf, type Loaded } from "./iso-box.ts";
import { tracksOf } from "./iso-tracks.ts";
import type { VideoFacts } from "./video-facts.ts";

/** Times are counted from the beginning of 1904. */
const EPOCH_S = 2_082_844_800;
/** Cameras whose clock was never set say the epoch; none of this kind is older. */
const FIRST_YEAR = 1990;
const IPHONE_DATE = "com.apple.quicktime.creationdate";

/** How a movie is seen, how long it lasts, and when it was recorded. */
export function movieFacts(moov: Loaded, box: Box): VideoFacts {
  const mvhd = contentOf(moov, boxAt(moov, box, "mvhd"));
  const wide = mvhd.version === 1;
  const timescale = mvhd.word(wide ? 20 : 12);
  const length = wide ? mvhd.long(24) : mvhd.word(16);
  const known = timescale > 0 && length > 0 && length < (wide ? Number.MAX_SAFE_INTEGER : 0xffffffff);
  return {
    ...uprightSize(moov, box),
    duration: known ? length / timescale : undefined,
    recorded: localDate(moov, box) ?? dateOf(wide ? mvhd.long(4) : mvhd.word(4)),
  };
}

/** Of the tracks that are pictures, the largest: as it is shown, turned upright. */
function uprightSize(moov: Loaded, box: Box): Pick<VideoFacts, "width" | "height"> {
  const sizes = tracksOf(moov, box)
    .filter(({ kind }) => kind === "vide")
    .map(({ box: trak }) => {
      const tkhd = contentOf(moov, boxAt(moov, trak, "tkhd"));
      const matrix = tkhd.version === 1 ? 52 : 40;
      const [width, height] = [tkhd.word(matrix + 36) / 65536, tkhd.word(matrix + 40) / 65536];
      const lying = tkhd.signed(matrix) === 0 && tkhd.signed(matrix + 16) === 0;
      return lying ? { width: height, height: width } : { width, height };
    })
    .map(({ width, height }) => ({ width: Math.round(width), height: Math.round(height) }))
    .filter(({ width, height }) => width > 0 && height > 0)
    .sort((a, b) => b.width * b.height - a.width * a.height);
  return sizes[0] ?? { width: undefined, height: undefined };
}

/** The movie's own time is in UTC, where its camera knew that. */
function dateOf(seconds: number): string | undefined {
  const date = new Date((seconds - EPOCH_S) * 1000);
  const sensible = date.getUTCFullYear() >= FIRST_YEAR && date.getTime() < Date.now() + 86_400_000;
  return sensible ? date.toISOString().slice(0, 19) : undefined;
}

/** What a telephone's own clock said, as `2019-05-04T12:33:11`: QuickTime keeps it among named values. */
function localDate(moov: Loaded, box: Box): string | undefined {
  const meta = boxAt(moov, box, "meta");
  if (!meta) return undefined;
  try {
    // QuickTime's own has no version before its boxes.
    const from = contentOf(moov, meta).text(4, 4) === "hdlr" ? meta.body : meta.body + 4;
    const { boxes } = boxesIn(moov, from, meta.end);
    const inside = (type: string) => boxes.find((child) => child.type === type);
    const [keys, list] = [inside("keys"), inside("ilst")];
    if (!keys || !list) return undefined;
    const names = boxesIn(moov, keys.body + 8, keys.end).boxes.map((key) => textOf(moov, key));
    const index = names.indexOf(IPHONE_DATE) + 1;
    const item = boxesIn(moov, list.body, list.end).boxes.find(
      ({ type }) => Buffer.from(type, "latin1").readUInt32BE(0) === index,
    );
    const data = index > 0 && item && boxAt(moov, item, "data");
    return data ? textOf(moov, data).match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)?.[0] : undefined;
  } catch {
    // A date is not worth more than the video.
    return undefined;
  }
}

const textOf = (loaded: Loaded, box: Box) => contentOf(loaded, box).bytes.toString("utf8");
