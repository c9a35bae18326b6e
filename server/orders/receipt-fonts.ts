import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { PDFDocument, PDFFont } from "@cantoo/pdf-lib";
import { create } from "fontkit";

/** The sans of the product, a file for each part of its letters, the likeliest first. Its licence lets documents carry it. */
const PARTS = ["latin", "latin-ext", "cyrillic", "cyrillic-ext", "greek", "greek-ext", "vietnamese"] as const;
const WEIGHTS = { plain: 400, strong: 600 } as const;
export type Weight = keyof typeof WEIGHTS;

/** The typeface of a document, of which only the letters that are written are carried along. */
export interface Typeface {
  /** The text in pieces that one file writes each; letters that none has are left out. */
  runs: (text: string, weight: Weight) => Promise<{ font: PDFFont; words: string }[]>;
}

interface Part {
  file: string;
  bytes: Buffer;
  has: (code: number) => boolean;
}

// Files of one weight each, in the older form: out of what holds all weights nothing can be taken for a document.
const fileOf = (part: string, weight: Weight) =>
  fileURLToPath(
    import.meta.resolve(`@fontsource/source-sans-3/files/source-sans-3-${part}-${WEIGHTS[weight]}-normal.woff`),
  );

const opened = new Map<string, Promise<Part>>();

/** Read when a letter of it is written first, and kept: it is the same for every document. */
function partOf(name: string, weight: Weight): Promise<Part> {
  const file = fileOf(name, weight);
  const part = opened.get(file) ?? readFile(file).then((bytes) => ({ file, bytes, has: glyphsOf(bytes) }));
  opened.set(file, part);
  return part;
}

function glyphsOf(bytes: Buffer) {
  const font = create(bytes);
  if (!("hasGlyphForCodePoint" in font)) throw new Error("The file holds no single typeface");
  return (code: number) => font.hasGlyphForCodePoint(code);
}

/** Opens the typeface for a document. */
export function openTypeface(pdf: PDFDocument): Typeface {
  pdf.registerFontkit({ create: (bytes: Uint8Array) => create(Buffer.from(bytes)) });
  const embedded = new Map<string, Promise<PDFFont>>();
  const embed = ({ file, bytes }: Part) => {
    const font = embedded.get(file) ?? pdf.embedFont(bytes, { subset: true });
    embedded.set(file, font);
    return font;
  };
  const partWith = async (code: number, weight: Weight) => {
    for (const name of PARTS) {
      const part = await partOf(name, weight);
      if (part.has(code)) return part;
    }
    return undefined;
  };
  return {
    async runs(text, weight) {
      const found: { part: Part; words: string }[] = [];
      for (const letter of text.normalize("NFC")) {
        const code = letter.codePointAt(0) ?? 0;
        const last = found.at(-1);
        const part = last?.part.has(code) ? last.part : await partWith(code, weight);
        if (last && part === last.part) last.words += letter;
        else if (part) found.push({ part, words: letter });
      }
      return Promise.all(found.map(async ({ part, words }) => ({ font: await embed(part), words })));
    },
  };
}
