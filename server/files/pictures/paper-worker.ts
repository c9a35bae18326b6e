import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";
import { init, type WrappedPdfiumModule } from "@embedpdf/pdfium";
import { MOST_PAGES } from "../../../shared/paper-format.ts";
import type { DecoderReply, DecoderRequest } from "./decoder-thread.ts";
import { limitWasmMemory } from "./limit-wasm-memory.ts";
import { type Pixels, pixelTiff, rowBytesOf } from "./pixel-tiff.ts";

/** The file, its decoded pictures and the page's pixels. */
const MOST_MEMORY_BYTES = 512 * 1024 * 1024;
/** Of a page as a picture: 16 megapixels are an A4 page at 400 dots per inch. */
const MOST_PAGE_PIXELS = 16_000_000;
const LONGEST_SIDE = 5000;
/** 300 dots per inch, as points are 72. */
const SCALE = 300 / 72;

limitWasmMemory(MOST_MEMORY_BYTES);

parentPort?.on("message", async (request: DecoderRequest) => {
  try {
    const reply = withPage(await openRenderer(), request);
    parentPort?.postMessage(reply, [reply.tiff]);
  } catch (error) {
    parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) } satisfies DecoderReply);
  }
});

type Renderer = WrappedPdfiumModule;
let renderer: Promise<Renderer> | undefined;

function openRenderer(): Promise<Renderer> {
  // The package would fetch its WebAssembly by URL.
  renderer ??= readFile(createRequire(import.meta.url).resolve("@embedpdf/pdfium/pdfium.wasm")).then(async (bytes) => {
    const module = await init({ wasmBinary: new Uint8Array(bytes).buffer });
    module.FPDF_InitLibrary();
    return module;
  });
  return renderer;
}

/** The memory of the renderer, whose types lack it. It is another array after it has grown. */
const heapOf = ({ pdfium }: Renderer): Uint8Array => (pdfium as unknown as { HEAPU8: Uint8Array }).HEAPU8;

/** The renderer's error for a document that needs a password. */
const PASSWORD = 4;

/** Opens a PDF and measures or renders one of its pages. A rejected request ends the thread, so it may leave memory behind. */
function withPage(pdfium: Renderer, { bytes, page = 1, measures = false }: DecoderRequest) {
  const { wasmExports: memory } = pdfium.pdfium;
  const file = memory.malloc(bytes.length);
  if (file === 0) throw new RangeError("The paper is too large");
  heapOf(pdfium).set(bytes, file);
  const document = pdfium.FPDF_LoadMemDocument(file, bytes.length, "");
  if (document === 0)
    throw new Error(pdfium.FPDF_GetLastError() === PASSWORD ? "The paper needs a password" : "The paper is damaged");
  const pages = Math.min(pdfium.FPDF_GetPageCount(document), MOST_PAGES);
  const opened = page <= pages ? pdfium.FPDF_LoadPage(document, page - 1) : 0;
  if (opened === 0) throw new Error("The page is damaged or missing");
  const size = pixelsOf(pdfium.FPDF_GetPageWidthF(opened), pdfium.FPDF_GetPageHeightF(opened));
  const tiff = measures ? new ArrayBuffer(0) : render(pdfium, opened, size);
  pdfium.FPDF_ClosePage(opened);
  pdfium.FPDF_CloseDocument(document);
  memory.free(file);
  return { ...size, pages, tiff };
}

/** The size in pixels of a page of this size in points. */
function pixelsOf(width: number, height: number): { width: number; height: number } {
  if (!(width > 0 && height > 0 && Number.isFinite(width * height))) throw new Error("The page has no size");
  const scale = Math.min(SCALE, LONGEST_SIDE / Math.max(width, height), Math.sqrt(MOST_PAGE_PIXELS / (width * height)));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Notes and filled-in fields are drawn; the order of the bytes is red, green, blue, alpha. */
const FLAGS = 0x01 | 0x10;
const WHITE = 0xffffffff;

function render(pdfium: Renderer, page: number, { width, height }: { width: number; height: number }): ArrayBuffer {
  const bitmap = pdfium.FPDFBitmap_Create(width, height, 0);
  if (bitmap === 0) throw new RangeError("The page is too large");
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, FLAGS);
  const [start, stride] = [pdfium.FPDFBitmap_GetBuffer(bitmap), pdfium.FPDFBitmap_GetStride(bitmap)];
  const rgba = heapOf(pdfium).subarray(start, start + stride * height);
  const pixels: Pixels = { width, height, samples: 3 };
  const rgb = new Uint8Array(rowBytesOf(pixels));
  const row = (index: number): Uint8Array => {
    for (let x = 0; x < width; x++) {
      const at = index * stride + x * 4;
      rgb[x * 3] = rgba[at] ?? 0;
      rgb[x * 3 + 1] = rgba[at + 1] ?? 0;
      rgb[x * 3 + 2] = rgba[at + 2] ?? 0;
    }
    return rgb;
  };
  const tiff = pixelTiff(pixels, MOST_PAGE_PIXELS * 4, row);
  pdfium.FPDFBitmap_Destroy(bitmap);
  return tiff;
}
