import { cmyk, PDFDocument } from "@cantoo/pdf-lib";
import { type QrMatrix, qrPath } from "./qr-code.ts";

/** Sides of a printed code in millimetres, including its white border. */
export const PRINT_SIZES = [20, 30, 50, 80] as const;
export type PrintSize = (typeof PRINT_SIZES)[number];

export interface PrintOptions {
  size: PrintSize;
  /** The text under the code; empty for none. */
  caption: string;
}

/** Text as a picture, because the built-in fonts of PDF have only Western European letters. */
export interface CaptionPicture {
  png: Uint8Array;
  /** Width divided by height. */
  ratio: number;
}

const POINTS_PER_MM = 72 / 25.4;
/** Relative to the code's side: the height of the line under it, and the height and width of its text. */
export const CAPTION = { line: 0.16, height: 0.11, width: 0.9 } as const;

/**
 * The code as a PDF file of exactly its size, as outlines in pure black, ready for printing and engraving. A caption
 * increases the page's height.
 */
export async function qrPdf(matrix: QrMatrix, size: PrintSize, title: string, caption?: CaptionPicture) {
  const pdf = await PDFDocument.create();
  pdf.setTitle(title);
  pdf.setCreator("Skies");
  pdf.setProducer("Skies");
  const side = size * POINTS_PER_MM;
  const below = caption ? side * CAPTION.line : 0;
  const page = pdf.addPage([side, side + below]);
  page.drawSvgPath(qrPath(matrix), {
    x: 0,
    y: side + below,
    scale: side / matrix.size,
    color: cmyk(0, 0, 0, 1),
    borderWidth: 0,
  });
  if (caption) {
    const picture = await pdf.embedPng(caption.png);
    const width = Math.min(side * CAPTION.height * caption.ratio, side * CAPTION.width);
    const height = width / caption.ratio;
    page.drawImage(picture, { x: (side - width) / 2, y: (below - height) / 2 + side * 0.03, width, height });
  }
  return pdf.save();
}
