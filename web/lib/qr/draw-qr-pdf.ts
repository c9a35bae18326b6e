import { pngOf, provenMatrix } from "./qr-code.ts";
import { CAPTION, type CaptionPicture, type PrintOptions, type PrintSize, qrPdf } from "./qr-pdf.ts";

/** The resolution of the caption, like that of a good printer. */
const DOTS_PER_MM = 1200 / 25.4;
const TYPEFACE = '"Literata Variable", Georgia, serif';

/** A link's code as a PDF file; the code was decoded as a check. */
export async function drawQrPdf(link: string, { size, caption }: PrintOptions): Promise<Blob> {
  const text = caption.trim();
  const picture = text === "" ? undefined : await captionPicture(text, size);
  const bytes = await qrPdf(provenMatrix(link), size, text || "Skies", picture);
  return new Blob([new Uint8Array(bytes)], { type: "application/pdf" });
}

/** A line of text as a picture, because the browser can render any script; long text ends in an ellipsis. */
async function captionPicture(caption: string, size: PrintSize): Promise<CaptionPicture> {
  const height = Math.round(size * CAPTION.height * DOTS_PER_MM);
  const font = `${Math.round(height * 0.72)}px ${TYPEFACE}`;
  await document.fonts.load(font, caption).catch(() => []);
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("The caption could not be drawn");
  pen.font = font;
  // The text is scaled down to half the height, and then cut.
  const most = (2 * size * CAPTION.width * DOTS_PER_MM) | 0;
  const line = shortened(caption, (text) => pen.measureText(text).width <= most);
  canvas.width = Math.ceil(pen.measureText(line).width) + height / 4;
  canvas.height = height;
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  // Resizing a canvas resets its font.
  pen.font = font;
  pen.fillStyle = "#000";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(line, canvas.width / 2, height / 2);
  const png = new Uint8Array(await (await pngOf(canvas)).arrayBuffer());
  return { png, ratio: canvas.width / canvas.height };
}

/** The longest part of a text that fits, by whole characters. */
function shortened(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  while (letters.length > 1 && !fits(`${letters.join("").trimEnd()}…`)) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}
