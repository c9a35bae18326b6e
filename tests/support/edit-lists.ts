import { type Box, boxesIn } from "../../server/files/videos/iso-boxes.ts";
import { box, word } from "./boxes.ts";

/** A part of a track in an edit list: its seconds as played, where it begins (-1 for a pause), and its speed. */
export type Edit = [seconds: number, start: number, rate?: number];

/** An MP4 whose table of contents is at its end, with these edit lists instead of its own. */
export function withEdits(movie: Buffer, edits: { vide?: Edit[]; soun?: Edit[] }): Buffer {
  const moov = boxesIn(movie, 0, movie.length).find(({ type }) => type === "moov");
  if (!moov || moov.end !== movie.length) throw new Error("The table of contents is not at the end");
  const children = boxesIn(movie, moov.body, moov.end);
  const mvhd = children.find(({ type }) => type === "mvhd");
  const movieScale = movie.readUInt32BE((mvhd?.body ?? 0) + 12);
  const longest = Math.max(...Object.values(edits).map((list) => list.reduce((sum, [seconds]) => sum + seconds, 0)));
  movie.writeUInt32BE(Math.round(longest * movieScale), (mvhd?.body ?? 0) + 16);
  const parts = children.map((child) =>
    child.type === "trak" ? edited(movie, child, edits, movieScale) : whole(movie, child),
  );
  return Buffer.concat([movie.subarray(0, moov.at), box("moov", ...parts)]);
}

const whole = (movie: Buffer, { at, end }: Box) => movie.subarray(at, end);

function edited(movie: Buffer, trak: Box, edits: { vide?: Edit[]; soun?: Edit[] }, movieScale: number): Buffer {
  const children = boxesIn(movie, trak.body, trak.end);
  const mdia = children.find(({ type }) => type === "mdia");
  const inMdia = mdia ? boxesIn(movie, mdia.body, mdia.end) : [];
  const hdlr = inMdia.find(({ type }) => type === "hdlr")?.body ?? 0;
  const mdhd = inMdia.find(({ type }) => type === "mdhd")?.body ?? 0;
  const list = edits[movie.toString("latin1", hdlr + 8, hdlr + 12) as "vide" | "soun"];
  if (!list) return whole(movie, trak);
  const timescale = movie.readUInt32BE(mdhd + 12);
  const own = children.find(({ type }) => type === "edts");
  // The media begins where the list of the encoder says, after what prepares the decoder.
  const begin = own ? movie.readInt32BE(own.body + 8 + 8 + 4) : 0;
  const entries = list.map(([seconds, start, rate = 1]) =>
    word(
      Math.round(seconds * movieScale),
      start < 0 ? 0xffffffff : begin + Math.round(start * timescale),
      Math.round(rate * 0x10000),
    ),
  );
  const edts = box("edts", box("elst", word(0, list.length), ...entries));
  return box("trak", ...children.filter(({ type }) => type !== "edts").map((child) => whole(movie, child)), edts);
}

type Lists = { vide?: Edit[]; soun?: Edit[] };
const both = (list: Edit[]): Lists => ({ vide: list, soun: list });

/**
 * Edits of a film that is red, green and blue for a second each, with a tone of its own: what is seen and heard of it, in
 * seconds, and whether its packets can be copied.
 */
export const CUTS: [name: string, Lists, seen: [string, number][], heard: [string, number][], canCopy: boolean][] = [
  ["the end", both([[1, 0]]), [["R", 1]], [["a", 1]], true],
  [
    "the beginning, at a key frame",
    both([[2, 1]]),
    [
      ["G", 1],
      ["B", 1],
    ],
    [
      ["b", 1],
      ["c", 1],
    ],
    true,
  ],
  [
    "the beginning, between key frames",
    both([[1.6, 1.4]]),
    [
      ["G", 0.6],
      ["B", 1],
    ],
    [
      ["b", 0.6],
      ["c", 1],
    ],
    false,
  ],
  [
    "the middle",
    both([
      [1, 0],
      [1, 2],
    ]),
    [
      ["R", 1],
      ["B", 1],
    ],
    [
      ["a", 1],
      ["c", 1],
    ],
    false,
  ],
  [
    "the sound of the first second",
    {
      vide: [[3, 0]],
      soun: [
        [1, -1],
        [2, 1],
      ],
    },
    [
      ["R", 1],
      ["G", 1],
      ["B", 1],
    ],
    [
      ["-", 1],
      ["b", 1],
      ["c", 1],
    ],
    true,
  ],
  [
    "the sound after a pause",
    both([
      [1, 0],
      [1, -1],
      [1, 2],
    ]),
    [
      ["R", 2],
      ["B", 1],
    ],
    [
      ["a", 1],
      ["-", 1],
      ["c", 1],
    ],
    false,
  ],
  [
    "half of the time, by double speed",
    both([
      [0.5, 0, 2],
      [1, 1],
    ]),
    [
      ["R", 0.4],
      ["G", 1],
    ],
    [
      ["a", 0.4],
      ["b", 1],
    ],
    false,
  ],
];
