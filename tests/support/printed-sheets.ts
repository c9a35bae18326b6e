import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { init, type WrappedPdfiumModule } from "@embedpdf/pdfium";
import jsQR from "jsqr";
import sharp from "sharp";

/** A page of a PDF as pixels: red, green, blue and alpha. */
export interface Raster {
  width: number;
  height: number;
  data: Uint8ClampedArray;
  /** Pixels of a millimetre. */
  scale: number;
}

const WHITE = 0xffffffff;
/** The order of the bytes is red, green, blue, alpha. */
const RGBA = 0x10;
const MM_OF_POINT = 25.4 / 72;

let renderer: Promise<WrappedPdfiumModule> | undefined;

function openRenderer(): Promise<WrappedPdfiumModule> {
  const path = createRequire(import.meta.url).resolve("@embedpdf/pdfium/pdfium.wasm");
  renderer ??= readFile(path).then(async (wasm) => {
    const pdfium = await init({ wasmBinary: new Uint8Array(wasm).buffer });
    pdfium.FPDF_InitLibrary();
    return pdfium;
  });
  return renderer;
}

/** Rasterises all pages of a PDF. */
export async function rasterPages(pdf: Uint8Array, dotsPerInch: number): Promise<Raster[]> {
  const pdfium = await openRenderer();
  const heap = () => (pdfium.pdfium as unknown as { HEAPU8: Uint8Array }).HEAPU8;
  const file = pdfium.pdfium.wasmExports.malloc(pdf.length);
  heap().set(pdf, file);
  const document = pdfium.FPDF_LoadMemDocument(file, pdf.length, "");
  const pages: Raster[] = [];
  for (let at = 0; at < pdfium.FPDF_GetPageCount(document); at++) {
    const page = pdfium.FPDF_LoadPage(document, at);
    const scale = dotsPerInch / 25.4;
    const [width = 0, height = 0] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)].map((points) =>
      Math.round(points * MM_OF_POINT * scale),
    );
    const bitmap = pdfium.FPDFBitmap_Create(width, height, 0);
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, RGBA);
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap);
    const data = new Uint8ClampedArray(heap().slice(start, start + width * height * 4));
    for (let alpha = 3; alpha < data.length; alpha += 4) data[alpha] = 255;
    pages.push({ width, height, data, scale });
    pdfium.FPDFBitmap_Destroy(bitmap);
    pdfium.FPDF_ClosePage(page);
  }
  pdfium.FPDF_CloseDocument(document);
  pdfium.pdfium.wasmExports.free(file);
  return pages;
}

interface Millimetres {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A part of a page. */
export function cut({ width, height, data, scale }: Raster, box: Millimetres): Raster {
  const [left, top] = [Math.max(0, Math.round(box.x * scale)), Math.max(0, Math.round(box.y * scale))];
  const wide = Math.min(width - left, Math.round(box.width * scale));
  const high = Math.min(height - top, Math.round(box.height * scale));
  const part = new Uint8ClampedArray(wide * high * 4);
  for (let y = 0; y < high; y++) {
    const from = ((top + y) * width + left) * 4;
    part.set(data.subarray(from, from + wide * 4), y * wide * 4);
  }
  return { width: wide, height: high, data: part, scale };
}

/** What a scanner reads from the only code in a part of a page. */
export const scan = ({ width, height, data }: Raster): string | undefined => jsQR(data, width, height)?.data;

/** Whether anything is printed in a part of a page. */
export const isPrinted = ({ data }: Raster): boolean => data.some((value, at) => at % 4 !== 3 && value < 250);

/** Writes a page as a picture to look at. */
export const savePicture = ({ width, height, data }: Raster, path: string) =>
  sharp(Buffer.from(data.buffer, data.byteOffset, data.byteLength), { raw: { width, height, channels: 4 } }).toFile(
    path,
  );
