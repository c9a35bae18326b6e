import jsQR from "jsqr";
import QRCode from "qrcode";

/** Error correction: with Q a quarter of the code may be scratched or covered, with M a seventh, with L less. */
const CORRECTIONS = ["Q", "M", "L"] as const;
type Correction = (typeof CORRECTIONS)[number];
/** The smallest side of a printed module in millimetres that phones and printers resolve well. */
export const SMALLEST_MODULE = 0.5;
/** The quiet zone in modules, without which scanners do not find the code. */
const QUIET = 4;
const PNG_SCALE = 24;

export interface QrMatrix {
  /** Modules per side, including the quiet zone. */
  size: number;
  dark: (x: number, y: number) => boolean;
}

export function qrMatrix(text: string, correction: Correction = "Q"): QrMatrix {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: correction });
  const inside = (at: number) => at >= QUIET && at < modules.size + QUIET;
  return {
    size: modules.size + 2 * QUIET,
    dark: (x, y) => inside(x) && inside(y) && modules.get(y - QUIET, x - QUIET) === 1,
  };
}

/** The outline of the dark modules as an SVG path, one unit per module. */
export function qrPath({ size, dark }: QrMatrix): string {
  let path = "";
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      let run = 0;
      while (dark(x + run, y)) run++;
      if (run > 0) path += `M${x} ${y}h${run}v1h-${run}z`;
      x += run;
    }
  }
  return path;
}

/** The code as an SVG file, dark on white. */
export function qrSvg(matrix: QrMatrix): string {
  const { size } = matrix;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size * 8}" height="${size * 8}" ` +
    `shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${qrPath(matrix)}"/></svg>`
  );
}

/** The code as RGBA pixels, `scale` pixels per module. */
export function qrPixels({ size, dark }: QrMatrix, scale: number) {
  const side = size * scale;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      if (dark(Math.floor(x / scale), Math.floor(y / scale)))
        pixels.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3);
    }
  }
  return { pixels, side };
}

/** The modules of a link's code, decoded again as a check: a code with another target is never returned. */
export function provenMatrix(link: string, correction?: Correction): QrMatrix {
  const matrix = qrMatrix(link, correction);
  const { pixels, side } = qrPixels(matrix, 4);
  if (jsQR(pixels, side, side)?.data !== link) throw new Error("The QR code could not be read back");
  return matrix;
}

/**
 * The modules of a link's code for printing it with this side in millimetres, with the best correction whose modules are
 * not too small; undefined if the link is too long for a code of this size.
 */
export function printedMatrix(link: string, side: number): QrMatrix | undefined {
  const correction = CORRECTIONS.find((level) => side / qrMatrix(link, level).size >= SMALLEST_MODULE);
  return correction && provenMatrix(link, correction);
}

/** Draws a link's code as files to download. */
export async function drawQrCode(link: string): Promise<{ svg: string; png: Blob }> {
  const matrix = provenMatrix(link);
  const { pixels, side } = qrPixels(matrix, PNG_SCALE);
  const canvas = document.createElement("canvas");
  canvas.width = side;
  canvas.height = side;
  canvas.getContext("2d")?.putImageData(new ImageData(pixels, side, side), 0, 0);
  return { svg: qrSvg(matrix), png: await pngOf(canvas) };
}

/** A canvas's content as a PNG file. */
export async function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!png) throw new Error("The picture could not be drawn");
  return png;
}
