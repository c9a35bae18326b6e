import { decodePDFRawStream, PDFArray, PDFDocument, PDFRawStream } from "@cantoo/pdf-lib";
import jsQR from "jsqr";
import sharp from "sharp";

/** The light modules around a code. */
const BORDER = 4;

/** Resolves to the only page of a PDF file and to the operators that draw it. */
export async function printedPage(bytes: Uint8Array) {
  const pdf = await PDFDocument.load(bytes);
  const [page] = pdf.getPages();
  if (!page) throw new Error("No page");
  const contents = page.node.Contents();
  const streams = contents instanceof PDFArray ? contents.asArray().map((part) => pdf.context.lookup(part)) : [];
  const drawn = streams
    .filter((stream) => stream instanceof PDFRawStream)
    .map((stream) => Buffer.from(decodePDFRawStream(stream).decode()).toString("latin1"))
    .join("\n");
  const millimetres = (points: number) => (points * 25.4) / 72;
  return {
    title: pdf.getTitle(),
    width: millimetres(page.getWidth()),
    height: millimetres(page.getHeight()),
    drawn,
  };
}

/** Resolves to what a scanner reads from the QR code that these operators draw. */
export async function scanDrawing(drawn: string): Promise<string | undefined> {
  const steps = [...drawn.matchAll(/^(-?[\d.]+) (-?[\d.]+) ([ml])$|^(h)$/gm)];
  const path = steps.map(([, x, y, kind]) => (kind ? `${kind === "m" ? "M" : "L"}${x} ${y}` : "z")).join("");
  const side = Math.max(...steps.flatMap(([, x, y]) => (x && y ? [Number(x), Number(y)] : []))) + BORDER;
  const picture = sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="400" height="400"><rect width="${side}" height="${side}" fill="#fff"/><path d="${path}"/></svg>`,
    ),
  );
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data;
}
