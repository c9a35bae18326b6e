import { printedMatrix, type QrMatrix } from "../../lib/qr/qr-code.ts";
import { canvasMeasure, drawText, loadFonts } from "./draw-text.ts";
import type { Measure } from "./fit-text.ts";
import { type Card, CodeTooSmall, layOutCards, type Style } from "./lay-out-cards.ts";
import { foldedSheets, type Service, type ServiceFormat, serviceReadingPages } from "./service/lay-out-service.ts";
import type { Page } from "./sheets.ts";

const matrices = new Map<string, QrMatrix | undefined>();

/** The code of an address for a side in millimetres, decoded as a check; undefined if the address is too long for it. */
function matrixOf(url: string, side: number): QrMatrix | undefined {
  const key = `${side} ${url}`;
  if (!matrices.has(key)) matrices.set(key, printedMatrix(url, side));
  return matrices.get(key);
}

/** Resolves to the measure of texts of these letters, with their fonts. */
export async function measureOf(letters: string): Promise<Measure> {
  await loadFonts(letters);
  return canvasMeasure();
}

/** The pages of cards, or why they cannot be printed. */
export function pagesOf(cards: readonly Card[], style: Style, measure: Measure): Page[] | "tooSmall" | "failed" {
  try {
    return layOutCards(cards, style, { measure, matrixOf });
  } catch (error) {
    return error instanceof CodeTooSmall ? "tooSmall" : "failed";
  }
}

/** The pages of an order of service, as they are read and as they are printed. */
export function servicePagesOf(service: Service, format: ServiceFormat, large: boolean, measure: Measure) {
  const reading = serviceReadingPages(service, format, large, { measure, matrixOf });
  return { reading, printing: format === "folded" ? foldedSheets(reading) : reading };
}

/** The pages as a PDF file. The library for it is loaded on demand. */
export async function pdfOf(pages: readonly Page[], title: string): Promise<Blob> {
  const { printPdf } = await import("./print-pdf.ts");
  return new Blob([new Uint8Array(await printPdf(pages, title, drawText))], { type: "application/pdf" });
}
