import { pngOf } from "../../lib/qr/qr-code.ts";
import { directionOf, type Measure } from "./fit-text.ts";
import type { DrawnText, DrawText } from "./print-pdf.ts";
import type { Face } from "./sheets.ts";

/** The families of printed text, also for the preview. */
export const FAMILIES: Record<Face, string> = {
  serif: '"Literata Variable", Georgia, serif',
  sans: '"Source Sans 3 Variable", system-ui, sans-serif',
};
/** Dots per millimetre: the resolution of good printers. */
const RESOLUTION = 1200 / 25.4;
/** Browsers on phones refuse larger canvases. */
const MOST_DOTS = 12_000_000;
const MOST_SIDE = 8000;
/** A letter in colour differs in its channels by more than this. */
const COLOUR = 24;
const MEASURED_AT = 100;

function pen(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("The text could not be drawn");
  return context;
}

/** Loads the fonts of these letters. Resolves although they cannot be loaded, because the system has others. */
export async function loadFonts(letters: string): Promise<void> {
  const families = Object.values(FAMILIES);
  await Promise.all(families.map((family) => document.fonts.load(`20px ${family}`, letters))).catch(() => []);
}

/** Measures text with the fonts that are loaded by now. */
export function canvasMeasure(): Measure {
  const context = pen(document.createElement("canvas"));
  const cache = new Map<string, ReturnType<Measure>>();
  return (text, face) => {
    const key = face + text;
    const stored = cache.get(key);
    if (stored) return stored;
    context.font = `${MEASURED_AT}px ${FAMILIES[face]}`;
    context.direction = directionOf(text);
    const { width, actualBoundingBoxAscent, actualBoundingBoxDescent } = context.measureText(text);
    const measured = {
      width: width / MEASURED_AT,
      ascent: actualBoundingBoxAscent / MEASURED_AT,
      descent: actualBoundingBoxDescent / MEASURED_AT,
    };
    cache.set(key, measured);
    return measured;
  };
}

/** Draws text on a canvas, because the browser shapes every script. */
export const drawText: DrawText = async ({ text, face, size, align, direction }): Promise<DrawnText | undefined> => {
  if (text.trim() === "") return undefined;
  const canvas = document.createElement("canvas");
  const context = pen(canvas);
  const set = (pixels: number) => {
    context.font = `${pixels}px ${FAMILIES[face]}`;
    context.direction = direction;
    context.textAlign = align;
    context.textBaseline = "alphabetic";
    context.fillStyle = "#000";
  };
  set(MEASURED_AT);
  const box = context.measureText(text);
  // In millimetres, with a little room for letters that reach beyond their box.
  const unit = size / MEASURED_AT;
  const room = size * 0.2;
  const x = -box.actualBoundingBoxLeft * unit - room;
  const top = -box.actualBoundingBoxAscent * unit - room;
  const width = box.actualBoundingBoxRight * unit + room - x;
  const height = box.actualBoundingBoxDescent * unit + room - top;
  const resolution = Math.min(RESOLUTION, MOST_SIDE / width, Math.sqrt(MOST_DOTS / (width * height)));
  canvas.width = Math.ceil(width * resolution);
  canvas.height = Math.ceil(height * resolution);
  // Resizing a canvas resets its font.
  set(size * resolution);
  context.fillText(text, -x * resolution, -top * resolution);
  const { width: columns, height: rows } = canvas;
  const place = { left: x, top, width: columns / resolution, height: rows / resolution };
  const { data } = context.getImageData(0, 0, columns, rows);
  const dots = dotsOf(data, columns, rows);
  const drawn: DrawnText = dots
    ? { ...place, dots, columns, rows }
    : { ...place, png: new Uint8Array(await (await pngOf(canvas)).arrayBuffer()) };
  // Frees the memory at once, which some browsers keep until the next collection.
  canvas.width = 0;
  return drawn;
};

/** Eight dots a byte, each row in whole bytes; undefined if a letter is in colour. */
function dotsOf(data: Uint8ClampedArray, columns: number, rows: number): Uint8Array | undefined {
  const bytes = Math.ceil(columns / 8);
  const dots = new Uint8Array(bytes * rows);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const at = (y * columns + x) * 4;
      if ((data[at + 3] ?? 0) < 128) continue;
      const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]];
      if (Math.max(red, green, blue) - Math.min(red, green, blue) > COLOUR) return undefined;
      const byte = y * bytes + (x >> 3);
      dots[byte] = (dots[byte] ?? 0) | (0x80 >> (x & 7));
    }
  }
  return dots;
}
