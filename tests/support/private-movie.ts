import { box, MATRIX, short, word } from "./boxes.ts";

/** The text in every place of these videos that may contain private data. */
export const SECRET = "SECRET +45.4642+009.1900/ C39XK0SERIAL Ada";

interface Chunk {
  track: "pictures" | "sound" | "places" | "none";
  samples: string[];
}
/** Pictures, sound and places alternate as in a phone's file, with unused bytes between them. */
const CHUNKS: Chunk[] = [
  { track: "pictures", samples: ["picture one", "picture 2"] },
  { track: "places", samples: [`${SECRET} first`] },
  { track: "sound", samples: ["sound one", "sound two"] },
  { track: "none", samples: [`freeGPS ${SECRET}`] },
  { track: "pictures", samples: ["the third picture"] },
  { track: "places", samples: [`${SECRET} second`, `${SECRET} third`] },
  { track: "sound", samples: ["sound three"] },
];
export const RECORDED = "2019-05-04T12:33:11";
/** The recording time in seconds since 1904. */
const MADE = Date.parse(`${RECORDED}Z`) / 1000 + 2_082_844_800;

/** A movie of three pictures (64 by 48) and three seconds, with {@link SECRET} in all places. */
export function privateMovie(): Buffer {
  const before = Buffer.concat([
    box("ftyp", "isom", word(512), "isom"),
    box("uuid", Buffer.alloc(16, 7), `<x:xmpmeta>${SECRET}</x:xmpmeta>`),
    box("free", SECRET),
  ]);
  const mdat = box("mdat", CHUNKS.flatMap(({ samples }) => samples).join(""));
  // Phones append notes outside of boxes.
  return Buffer.concat([before, mdat, movieBox(before.length + 8), box("meta", SECRET), Buffer.from(`SEFT${SECRET}`)]);
}

const movieBox = (samplesAt: number): Buffer =>
  box(
    "moov",
    box("mvhd", word(0, MADE, MADE, 1000, 3000, 0x10000, 0x1000000, 0, 0), MATRIX, Buffer.alloc(24), word(4)),
    track(1, "vide", samplesAt),
    track(2, "soun", samplesAt),
    track(3, "meta", samplesAt),
    box("udta", box("\u00a9xyz", short(SECRET.length, 0), SECRET), box("\u00a9mod", short(SECRET.length, 0), SECRET)),
    box("meta", word(0), SECRET),
  );

const KINDS = { vide: "pictures", soun: "sound", meta: "places" } as const;

function track(id: number, handler: keyof typeof KINDS, samplesAt: number): Buffer {
  const kind = KINDS[handler];
  const sizes = CHUNKS.flatMap(({ track: of, samples }) => (of === kind ? samples.map(({ length }) => length) : []));
  const offsets: number[] = [];
  const counts: number[] = [];
  let at = samplesAt;
  for (const { track: of, samples } of CHUNKS) {
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
      word(7, MADE, MADE, id, 0, 3000, 0, 0, 0, 0),
      MATRIX,
      word(handler === "vide" ? 64 << 16 : 0),
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
          box("stsd", word(0, 1), DESCRIPTIONS[handler]),
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
    Buffer.alloc(6),
    short(1),
    Buffer.alloc(16),
    short(64, 48),
    word(0x480000, 0x480000, 0),
    short(1),
    named32(SECRET),
    short(24, 0xffff),
    settings,
    box("uuid", Buffer.alloc(16, 5), SECRET),
  );
const DESCRIPTIONS = {
  vide: picture("avc1", box("avcC", Buffer.from([1, 66, 0, 10, 255, 224, 0]))),
  soun: box("mp4a", Buffer.alloc(6), short(1), Buffer.alloc(8), short(2, 16, 0, 0), word(48_000 * 65_536)),
  meta: box("mebx", Buffer.alloc(6), short(1), box("keys", SECRET)),
};
