import {
  cmyk,
  concatTransformationMatrix,
  drawObject,
  PDFDocument,
  type PDFPage,
  type PDFRef,
  popGraphicsState,
  pushGraphicsState,
  setFillingCmykColor,
} from "@cantoo/pdf-lib";
import { qrPath } from "../../lib/qr/qr-code.ts";
import { BLEED, type Box, type Colour, type Item, type Page } from "./sheets.ts";

/** A drawn line of text, as black dots or, with letters in colour such as emoji, as a picture. */
export type DrawnText = {
  /** From the anchor of the text and its baseline to the top left, in millimetres. */
  left: number;
  top: number;
  /** In millimetres. */
  width: number;
  height: number;
} & ({ dots: Uint8Array; columns: number; rows: number } | { png: Uint8Array });

/** Draws a line of text; undefined if it leaves no marks. */
export type DrawText = (text: Extract<Item, { kind: "text" }>) => Promise<DrawnText | undefined>;

const POINTS = 72 / 25.4;
const BLACK = cmyk(0, 0, 0, 1);
const COLOURS: Record<Colour, ReturnType<typeof cmyk>> = {
  white: cmyk(0, 0, 0, 0),
  warm: cmyk(0.02, 0.05, 0.13, 0.01),
  cool: cmyk(0.09, 0.03, 0.02, 0.02),
  guide: cmyk(0, 0, 0, 0.3),
};

/**
 * Writes pages as a PDF file: codes, lines and grounds as outlines, and text as black dots in the resolution of printers,
 * so that every script that the browser can draw is printed without fonts. Everything black is the black ink alone.
 */
export async function printPdf(pages: readonly Page[], title: string, drawText: DrawText): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.setTitle(title);
  pdf.setCreator("Skies");
  pdf.setProducer("Skies");
  const drawn = new Map<string, Promise<EmbeddedText | undefined>>();
  const embedded = (item: Extract<Item, { kind: "text" }>) => {
    const key = JSON.stringify([item.text, item.size, item.face, item.align, item.direction]);
    const text = drawn.get(key) ?? drawText(item).then((marks) => marks && embed(pdf, marks));
    drawn.set(key, text);
    return text;
  };
  for (const { width, height, trim, items } of pages) {
    const page = pdf.addPage([width * POINTS, height * POINTS]);
    if (trim) {
      page.setTrimBox(...corners(trim, height));
      const { x, y, width: wide, height: high } = trim;
      page.setBleedBox(
        ...corners({ x: x - BLEED, y: y - BLEED, width: wide + 2 * BLEED, height: high + 2 * BLEED }, height),
      );
    }
    for (const item of items) {
      if (item.kind === "text") drawTextOn(page, height, item, await embedded(item));
      else drawItem(page, height, item);
    }
  }
  return pdf.save();
}

const corners = ({ x, y, width, height }: Box, page: number) =>
  [x * POINTS, (page - y - height) * POINTS, width * POINTS, height * POINTS] as const;

function drawItem(page: PDFPage, height: number, item: Exclude<Item, { kind: "text" }>) {
  if (item.kind === "fill") {
    const [x, y, width, high] = corners(item.box, height);
    page.drawRectangle({ x, y, width, height: high, color: COLOURS[item.colour], borderWidth: 0 });
  } else if (item.kind === "line") {
    const point = ([x, y]: readonly [number, number]) => ({ x: x * POINTS, y: (height - y) * POINTS });
    page.drawLine({
      start: point(item.from),
      end: point(item.to),
      thickness: item.width * POINTS,
      color: BLACK,
    });
  } else {
    const { x, y, side, matrix } = item;
    page.drawSvgPath(qrPath(matrix), {
      x: x * POINTS,
      y: (height - y) * POINTS,
      scale: (side * POINTS) / matrix.size,
      color: BLACK,
      borderWidth: 0,
    });
  }
}

interface EmbeddedText {
  marks: DrawnText;
  ref: PDFRef;
}

async function embed(pdf: PDFDocument, marks: DrawnText): Promise<EmbeddedText> {
  if ("png" in marks) return { marks, ref: (await pdf.embedPng(marks.png)).ref };
  const stencil = pdf.context.flateStream(marks.dots, {
    Type: "XObject",
    Subtype: "Image",
    Width: marks.columns,
    Height: marks.rows,
    ImageMask: true,
    BitsPerComponent: 1,
    // A set bit is painted.
    Decode: [1, 0],
  });
  return { marks, ref: pdf.context.register(stencil) };
}

function drawTextOn(
  page: PDFPage,
  height: number,
  item: Extract<Item, { kind: "text" }>,
  text: EmbeddedText | undefined,
) {
  if (!text) return;
  const { marks, ref } = text;
  const name = page.node.newXObject("Text", ref);
  const [x, y, width, high] = corners(
    { x: item.x + marks.left, y: item.baseline + marks.top, width: marks.width, height: marks.height },
    height,
  );
  page.pushOperators(
    pushGraphicsState(),
    setFillingCmykColor(0, 0, 0, 1),
    concatTransformationMatrix(width, 0, 0, high, x, y),
    drawObject(name),
    popGraphicsState(),
  );
}
