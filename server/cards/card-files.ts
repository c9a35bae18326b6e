import { cmyk, PDFDocument } from "@cantoo/pdf-lib";
import { CARD } from "../../shared/card-face.ts";
import type { CardFace, Mark } from "./card-face.ts";

const POINTS_PER_MM = 72 / 25.4;

/** A card as an SVG file of its very size: what is black is engraved, all of it outlines, no typeface needed. */
export function cardSvg({ marks }: CardFace, title: string): string {
  const { width, height } = CARD;
  const paths = marks.map(
    ({ path, x, y, scale }) =>
      `<path transform="translate(${round(x)} ${round(y)}) scale(${round(scale)})" d="${path}"/>`,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height}mm" viewBox="0 0 ${width} ${height}">` +
    `<title>${title}</title><g fill="#000">${paths.join("")}</g></svg>\n`
  );
}

const round = (value: number) => Math.round(value * 1e5) / 1e5;

/** The same as a PDF file, in black ink alone. */
export const cardPdf = ({ marks }: CardFace, title: string): Promise<Uint8Array> => pagePdf(CARD, marks, title);

/** A page of a size in millimetres with marks on it. The same marks make the same bytes. */
export async function pagePdf(
  { width, height }: { width: number; height: number },
  marks: readonly Mark[],
  title: string,
): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.setTitle(title);
  pdf.setCreator("Skies");
  pdf.setProducer("Skies");
  pdf.setCreationDate(new Date(0));
  pdf.setModificationDate(new Date(0));
  const page = pdf.addPage([width * POINTS_PER_MM, height * POINTS_PER_MM]);
  for (const { path, x, y, scale } of marks) {
    page.drawSvgPath(path, {
      x: x * POINTS_PER_MM,
      y: (height - y) * POINTS_PER_MM,
      scale: scale * POINTS_PER_MM,
      color: cmyk(0, 0, 0, 1),
      borderWidth: 0,
    });
  }
  return pdf.save();
}
