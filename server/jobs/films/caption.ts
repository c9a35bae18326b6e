import sharp from "sharp";
import { outline, UnknownGlyphError } from "../../cards/outlines.ts";

/** The size of a film's pictures. */
export const FILM = { width: 1920, height: 1080 } as const;

const SIZE = 46;
const LINE = 62;
const WIDEST = 1560;
const MOST_LINES = 3;
/** More than the lines can hold. Measuring a longer text would take long. */
const MOST_LETTERS = 300;
/** The space between the last line and the picture's edge. */
const FOOT = 56;

/** Breaks a text into lines that are not wider than `widest`; the last one ends with … if there are more. */
export function linesOf(text: string, widthOf: (line: string) => number, widest: number, most: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    for (const word of paragraph.split(/\s+/).filter(Boolean)) {
      const longer = line ? `${line} ${word}` : word;
      if (line && widthOf(longer) > widest) {
        lines.push(line);
        line = word;
      } else line = longer;
      // A word without spaces can be wider than the picture.
      while (widthOf(line) > widest) {
        let [fits, exceeds] = [1, line.length];
        while (exceeds - fits > 1) {
          const middle = (fits + exceeds) >> 1;
          if (widthOf(line.slice(0, middle)) > widest) exceeds = middle;
          else fits = middle;
        }
        lines.push(line.slice(0, fits));
        line = line.slice(fits);
      }
    }
    if (line) lines.push(line);
  }
  if (lines.length <= most) return lines;
  let last = lines[most - 1] ?? "";
  while (last && widthOf(`${last}…`) > widest) last = last.slice(0, -1).trimEnd();
  return [...lines.slice(0, most - 1), `${last}…`];
}

/** A dark foot with the caption, as a picture of the film's size. Undefined for an empty caption. */
export async function captionPicture(caption: string): Promise<Buffer | undefined> {
  const text = [...caption.normalize("NFC").trim()].slice(0, MOST_LETTERS).join("");
  if (!text) return undefined;
  try {
    const lines = linesOf(text, (line) => outline(line, SIZE).width, WIDEST, MOST_LINES);
    const top = FILM.height - FOOT - (lines.length - 1) * LINE;
    const paths = lines.map((line, at) => {
      const { path, width } = outline(line, SIZE);
      return `<path transform="translate(${(FILM.width - width) / 2} ${top + at * LINE})" d="${path}" fill="#fff"/>`;
    });
    return Buffer.from(footOf(lines.length, paths.join("")));
  } catch (error) {
    if (!(error instanceof UnknownGlyphError)) throw error;
    return withSystemFonts(text);
  }
}

/** Draws a script that the product's font does not have, with the fonts of the machine. */
async function withSystemFonts(text: string): Promise<Buffer> {
  const markup = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="white">${markup}</span>`,
      font: `serif ${SIZE}`,
      dpi: 72,
      width: WIDEST,
      align: "centre",
      rgba: true,
      spacing: 8,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
  const height = Math.min(info.height, MOST_LINES * LINE + 40);
  const drawn = await sharp(data).extract({ left: 0, top: 0, width: info.width, height }).toBuffer();
  return sharp(Buffer.from(footOf(Math.ceil(height / LINE), "")))
    .composite([
      { input: drawn, left: Math.round((FILM.width - info.width) / 2), top: FILM.height - FOOT + 12 - height },
    ])
    .png()
    .toBuffer();
}

const footOf = (lines: number, content: string) => {
  const height = lines * LINE + FOOT + 140;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${FILM.width}" height="${FILM.height}">
    <linearGradient id="g" x2="0" y2="1"><stop stop-opacity="0"/><stop offset="1" stop-opacity=".8"/></linearGradient>
    <rect y="${FILM.height - height}" width="${FILM.width}" height="${height}" fill="url(#g)"/>${content}</svg>`;
};
