import { box, MATRIX, short, TURNED, word } from "./boxes.ts";

/** What stands in every place of these videos where devices and people write what only their managers may read. */
export const SECRET = "SECRET +45.4642+009.1900/ C39XK0SERIAL Ada";

interface Chunk {
  track: "pictures" | "sound" | "places" | "none";
  samples: string[];
}
/** As a telephone writes them: pictures, sound and places take turns, and between them is what belongs to nobody. */
const chunksWith = (third: string): Chunk[] => [
  { track: "pictures", samples: ["picture one", "picture 2"] },
  { track: "places", samples: [`${SECRET} first`] },
  { track: "sound", samples: ["sound one", "sound two"] },
  { track: "none", samples: [`freeGPS ${SECRET}`] },
  { track: "pictures", samples: [third] },
  { track: "places", samples: [`${SECRET} second`, `${SECRET} third`] },
  { track: "sound", samples: ["sound three"] },
];
export const RECORDED = "2019-05-04T12:33:11";
/** The same in seconds since 1904. */
const MADE = Date.parse(`${RECORDED}Z`) / 1000 + 2_082_844_800;

interface Making {
  brand?: "isom" | "qt  " | "M4V " | "3gp4";
  /** Where its table of contents lies. */
  moov?: "first" | "last";
  turned?: boolean;
  /** The clock of a telephone, beside the movie's own. */
  clock?: string;
  more?: Buffer[];
  /** The bytes of the third picture, a letter each. */
  third?: string;
  /** How its pictures are coded. */
  codec?: "H.264" | "HEVC";
}

/** A movie of three pictures (64 by 48) and three seconds that tells {@link SECRET} wherever a movie can. */
export function privateMovie(making: Making = {}): Buffer {
  const { brand = "isom", moov = "last", third = "the third picture" } = making;
  const chunks = chunksWith(third);
  const ftyp = box("ftyp", brand, word(512), brand);
  const xmp = box("uuid", Buffer.alloc(16, 7), `<x:xmpmeta>${SECRET}</x:xmpmeta>`);
  const free = box("free", SECRET);
  const mdat = box("mdat", chunks.flatMap(({ samples }) => samples).join(""));
  const table = (samplesAt: number) => movieBox(samplesAt, making, chunks);
  const size = table(0).length;
  const before = [ftyp, xmp, free];
  const start = before.reduce((sum, { length }) => sum + length, 0) + (moov === "first" ? size : 0) + 8;
  const inOrder = moov === "first" ? [...before, table(start), mdat] : [...before, mdat, table(start)];
  // Telephones append notes that are no boxes.
  return Buffer.concat([...inOrder, ...(making.more ?? []), box("meta", SECRET), Buffer.from(`SEFT${SECRET}`)]);
}

function movieBox(
  samplesAt: number,
  { brand, turned = false, clock, codec = "H.264" }: Making,
  chunks: Chunk[],
): Buffer {
  const named = clock
    ? box(
        "meta",
        ...(brand === "qt  " ? [] : [word(0)]),
        box("hdlr", word(0, 0), "mdta", Buffer.alloc(13)),
        box(
          "keys",
          word(0, 2),
          keyed("com.apple.quicktime.creationdate"),
          keyed("com.apple.quicktime.location.ISO6709"),
        ),
        box("ilst", valued(1, clock), valued(2, SECRET)),
      )
    : box("meta", word(0), SECRET);
  return box(
    "moov",
    box("mvhd", word(0, MADE, MADE, 1000, 3000, 0x10000, 0x1000000, 0, 0), MATRIX, Buffer.alloc(24), word(4)),
    track(1, "vide", { samplesAt, chunks, codec }, turned ? TURNED : MATRIX),
    track(2, "soun", { samplesAt, chunks }),
    track(3, "meta", { samplesAt, chunks }),
    box("udta", box("\u00a9xyz", short(SECRET.length, 0), SECRET), box("\u00a9mod", short(SECRET.length, 0), SECRET)),
    named,
  );
}

const keyed = (name: string) => Buffer.concat([word(8 + name.length), Buffer.from(`mdta${name}`)]);
const valued = (index: number, value: string) =>
  Buffer.concat([word(24 + value.length, index), box("data", word(1, 0), value)]);

const KINDS = { vide: "pictures", soun: "sound", meta: "places" } as const;

interface Samples {
  samplesAt: number;
  chunks: Chunk[];
  codec?: "H.264" | "HEVC";
}

function track(id: number, handler: keyof typeof KINDS, samples: Samples, matrix = MATRIX): Buffer {
  const { samplesAt, chunks, codec } = samples;
  const kind = KINDS[handler];
  const sizes = chunks.flatMap(({ track: of, samples }) => (of === kind ? samples.map(({ length }) => length) : []));
  const offsets: number[] = [];
  const counts: number[] = [];
  let at = samplesAt;
  for (const { track: of, samples } of chunks) {
    if (of === kind) {
      offsets.push(at);
      counts.push(samples.length);
    }
    at += samples.join("").length;
  }
  return box(
    "trak",
    box(
      "tkhd",
      ...[word(7, MADE, MADE, id, 0, 3000, 0, 0, 0, 0), matrix, word(handler === "vide" ? 64 << 16 : 0)],
      word(handler === "vide" ? 48 << 16 : 0),
    ),
    box("udta", box("name", SECRET)),
    box("uuid", Buffer.alloc(16, 9), SECRET),
    box(
      "mdia",
      box("mdhd", word(0, MADE, MADE, 1000, 3000), short(0x55c4, 0)),
      box("hdlr", word(0, 0), handler, Buffer.alloc(12), `${SECRET}\0`),
      box(
        "minf",
        handler === "vide" ? box("vmhd", word(1, 0, 0)) : box("smhd", word(0, 0)),
        box("dinf", box("dref", word(0, 1), box("url ", word(1), SECRET))),
        box(
          "stbl",
          box("stsd", word(0, 1), codec === "HEVC" ? HEVC_PICTURES : DESCRIPTIONS[handler]),
          box("stts", word(0, 1, sizes.length, 1000)),
          box("stsc", word(0, counts.length), ...counts.map((count, i) => word(i + 1, count, 1))),
          box("stsz", word(0, 0, sizes.length, ...sizes)),
          box("stco", word(0, offsets.length, ...offsets)),
        ),
      ),
    ),
  );
}

const named32 = (name: string) => Buffer.concat([Buffer.from([31]), Buffer.from(name.slice(0, 31).padEnd(31, "!"))]);
const picture = (type: string, settings: Buffer) =>
  box(
    type,
    ...[Buffer.alloc(6), short(1), Buffer.alloc(16), short(64, 48), word(0x480000, 0x480000, 0), short(1)],
    ...[named32(SECRET), short(24, 0xffff), settings],
    box("uuid", Buffer.alloc(16, 5), SECRET),
  );
const HEVC_PICTURES = picture("hvc1", box("hvcC", Buffer.alloc(21, 1), Buffer.from([3, 0])));
const DESCRIPTIONS = {
  vide: picture("avc1", box("avcC", Buffer.from([1, 66, 0, 10, 255, 224, 0]))),
  soun: box("mp4a", Buffer.alloc(6), short(1), Buffer.alloc(8), short(2, 16, 0, 0), word(48_000 * 65_536)),
  meta: box("mebx", Buffer.alloc(6), short(1), box("keys", SECRET)),
};
