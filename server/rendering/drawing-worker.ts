import { type ErrorCode, RequestError } from "../../shared/request-error.ts";
import { addressLabels } from "../cards/address-labels.ts";
import { engraversPack } from "../cards/engravers-pack.ts";
import { receiptPdf } from "../orders/receipt-pdf.ts";

/** The functions that draw files for people. */
const drawings = { addressLabels, engraversPack, receiptPdf };
export type Drawings = typeof drawings;

export type DrawingJob = { [Name in keyof Drawings]: { name: Name; args: Parameters<Drawings[Name]> } }[keyof Drawings];

/** The parts of a refusal, because errors lose their class between threads. */
export interface RefusedDrawing {
  refused: { code: ErrorCode; status: number; message: string };
}

/** Draws a file. A refusal is returned. */
export default async function run({ name, args }: DrawingJob): Promise<unknown> {
  const draw = drawings[name] as (...args: unknown[]) => Promise<unknown>;
  try {
    return { drawn: await draw(...args) };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { code, status, message } = error;
    return { refused: { code, status, message } } satisfies RefusedDrawing;
  }
}
