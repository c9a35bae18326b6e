import { createRequire } from "node:module";
import { type Font, openSync } from "fontkit";

/** The product's serif font, a file for each subset of characters, the most common first. */
const PARTS = ["latin", "latin-ext", "cyrillic", "cyrillic-ext", "greek", "greek-ext", "vietnamese"];

let cachedFonts: Font[] | undefined;

/** Loads the font files at the first engraving, and caches them. */
function fonts(): Font[] {
  const { resolve } = createRequire(import.meta.url);
  cachedFonts ??= PARTS.map((part) => {
    const file = resolve(`@fontsource-variable/literata/files/literata-${part}-wght-normal.woff2`);
    const font = openSync(file);
    if (!("layout" in font)) throw new Error(`${file} holds no single typeface`);
    return font;
  });
  return cachedFonts;
}

/** A line of text as outlines, which look the same without the font. */
export interface Outline {
  /** SVG path data of lines and curves in absolute units, starting at 0 on the baseline. */
  path: string;
  width: number;
}

/** Draws a line of text at a size; throws {@link UnknownGlyphError} for a missing character. */
export function outline(text: string, size: number): Outline {
  let path = "";
  let width = 0;
  for (const { font, text: content } of runs(text)) {
    const scale = size / font.unitsPerEm;
    const { glyphs, positions } = font.layout(content);
    glyphs.forEach((glyph, at) => {
      const place = positions[at];
      const x = width + (place?.xOffset ?? 0) * scale;
      // The y axis of fonts points up, and that of pictures points down.
      path += glyph.path.scale(scale, -scale).translate(x, 0).toSVG();
      width += (place?.xAdvance ?? glyph.advanceWidth) * scale;
    });
  }
  return { path, width };
}

/** A character that none of the font files contains. */
export class UnknownGlyphError extends Error {
  constructor(readonly letter: string) {
    super(`There is no outline for "${letter}".`);
  }
}

/** Splits text into parts that one file can draw. */
function runs(text: string): { font: Font; text: string }[] {
  const textRuns: { font: Font; text: string }[] = [];
  for (const letter of text.normalize("NFC")) {
    const code = letter.codePointAt(0) ?? 0;
    const last = textRuns.at(-1);
    if (last?.font.hasGlyphForCodePoint(code)) last.text += letter;
    else {
      const font = fonts().find((one) => one.hasGlyphForCodePoint(code));
      if (!font) throw new UnknownGlyphError(letter);
      textRuns.push({ font, text: letter });
    }
  }
  return textRuns;
}
