import { box, MATRIX, short, word } from "./boxes.ts";

/** The place and author in the tiny video, which no copy may contain. */
export const VIDEO_PLACE = "+51.5007-000.1246/ of Nonna's camera";

/** An MP4 of some hundred bytes with one second and one invalid frame, and a place. */
export function tinyVideo(): Buffer {
  const frame = Buffer.from("a frame of a video");
  const ftyp = box("ftyp", Buffer.from("isom"), word(512), Buffer.from("isommp41"));
  const picture = Buffer.concat([Buffer.alloc(6), short(1), Buffer.alloc(16), short(64, 48), Buffer.alloc(50)]);
  const movie = (frameAt: number) =>
    box(
      "moov",
      box("mvhd", word(0, 0, 0, 1000, 1000, 0x10000, 0x1000000, 0, 0), MATRIX, Buffer.alloc(24), word(2)),
      box(
        "trak",
        box("tkhd", word(3, 0, 0, 1, 0, 1000, 0, 0, 0, 0), MATRIX, word(64 << 16, 48 << 16)),
        box(
          "mdia",
          box("mdhd", word(0, 0, 0, 1000, 1000, 0)),
          box("hdlr", word(0, 0), Buffer.from("vide"), Buffer.alloc(13)),
          box(
            "minf",
            box("vmhd", word(1, 0, 0)),
            box("dinf", box("dref", word(0, 1), box("url ", word(1)))),
            box(
              "stbl",
              box("stsd", word(0, 1), box("avc1", picture)),
              box("stts", word(0, 1, 1, 1000)),
              box("stsc", word(0, 1, 1, 1, 1)),
              box("stsz", word(0, frame.length, 1)),
              box("stco", word(0, 1, frameAt)),
            ),
          ),
        ),
      ),
      box("udta", box("\u00a9xyz", short(VIDEO_PLACE.length, 0), Buffer.from(VIDEO_PLACE))),
    );
  // The length of its tables does not depend on the frame's position.
  const frameAt = ftyp.length + movie(0).length + 8;
  return Buffer.concat([ftyp, movie(frameAt), box("mdat", frame)]);
}
