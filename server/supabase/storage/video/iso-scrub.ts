import { type Blank, zeros } from "./blanks.ts";
import { type Box, boxesIn, contentOf, type Loaded } from "./iso-box.ts";
import { UnreadableVideo } from "./video-error.ts";

/** What a copy keeps of each box that holds others; whatever else lies in it becomes free space. */
const KEPT: Record<string, string[]> = {
  moov: ["mvhd", "trak", "mvex", "iods"],
  trak: ["tkhd", "edts", "tref", "mdia", "tapt", "load"],
  edts: ["elst"],
  mdia: ["mdhd", "hdlr", "minf", "elng"],
  minf: ["vmhd", "smhd", "hdlr", "dinf", "stbl"],
  dinf: ["dref"],
  stbl: "stsd stts ctts cslg stss stps stsc stsz stz2 stco co64 sdtp sgpd sbgp subs padb stsh saiz saio".split(" "),
  mvex: ["mehd", "trex"],
  moof: ["mfhd", "traf"],
  traf: "tfhd tfdt trun sdtp sgpd sbgp subs saiz saio senc".split(" "),
};
/** Boxes that carry what people and devices write about a video. */
const TALES = ["udta", "meta", "uuid"];

/** The box as free space of the same size. */
export const freed = ({ at, body, end }: Box): Blank[] => [
  { at: at + 4, length: 4, bytes: Buffer.from("free") },
  zeros(body, end - body),
];

/** What is to be blanked in a box that holds others; `kindOf` a track, or a track's fragment, is undefined for one that goes. */
export function scrubbed(loaded: Loaded, box: Box, kindOf: (track: Box) => string | undefined, kind?: string): Blank[] {
  const kept = KEPT[box.type] ?? [];
  const { boxes, rest } = boxesIn(loaded, box.body, box.end);
  const blanks = boxes.flatMap((child) => {
    const ofKind = child.type === "trak" || child.type === "traf" ? (kindOf(child) ?? "") : kind;
    if (!kept.includes(child.type) || ofKind === "") return freed(child);
    if (KEPT[child.type]) return scrubbed(loaded, child, kindOf, ofKind);
    return wiped(loaded, child, ofKind);
  });
  return rest < box.end ? [...blanks, zeros(rest, box.end - rest)] : blanks;
}

/** What is to be blanked in a box that a copy needs: when it was made and changed, and the names of its makers. */
function wiped(loaded: Loaded, box: Box, kind: string | undefined): Blank[] {
  const content = contentOf(loaded, box);
  switch (box.type) {
    case "mvhd":
    case "tkhd":
    case "mdhd":
      return [zeros(box.body + 4, content.version === 1 ? 16 : 8)];
    case "hdlr":
      return content.length > 24 ? [zeros(box.body + 24, content.length - 24)] : [];
    case "dref":
      return references(loaded, box);
    case "stsd":
      return kind === "soun" ? [] : pictureDescriptions(loaded, box);
    default:
      return [];
  }
}

/** Samples lie in this file; a path that is written all the same is one of its maker's disk. */
function references(loaded: Loaded, dref: Box): Blank[] {
  return boxesIn(loaded, dref.body + 8, dref.end).boxes.flatMap((entry) => {
    if ((contentOf(loaded, entry).flags & 1) === 0) throw new UnreadableVideo("a part of it lies in another file");
    return [zeros(entry.body + 4, entry.end - entry.body - 4)];
  });
}

const VISUAL_ENTRY_BYTES = 78;
const COMPRESSOR = { at: 42, length: 32 };

function pictureDescriptions(loaded: Loaded, stsd: Box): Blank[] {
  return boxesIn(loaded, stsd.body + 8, stsd.end).boxes.flatMap((entry) => {
    if (entry.end - entry.body < VISUAL_ENTRY_BYTES) throw new UnreadableVideo("one of its tables ends early");
    const inner = boxesIn(loaded, entry.body + VISUAL_ENTRY_BYTES, entry.end).boxes;
    return [
      zeros(entry.body + COMPRESSOR.at, COMPRESSOR.length),
      ...inner.filter(({ type }) => TALES.includes(type)).flatMap(freed),
    ];
  });
}
