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
