import { deflateSync } from "node:zlib";
import { PDFDocument, PDFName, PDFString, rgb, StandardFonts } from "@cantoo/pdf-lib";
import sharp from "sharp";

/** A point of 1/72 inch on paper, A5 in this orientation. */
const A5: [number, number] = [420, 595];

/** The colours of the pages of {@link letter}, in their order. */
export const PAGE_COLOURS = [
  [200, 60, 30],
  [30, 120, 60],
  [40, 70, 190],
] as const;

/** What {@link letter} contains beside its pages, which nobody but its managers may receive. */
export const SECRET_OF_PAPER = "SECRET-OF-PAPER";

/**
 * A letter of three pages in {@link PAGE_COLOURS}, as an encoder writes it, with everything that a PDF may do: a script that
 * runs when it is opened, a link, an attached file, a form with a filled-in field, and the name of its author.
 */
export async function letter(): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const [index, [red, green, blue]] of PAGE_COLOURS.entries()) {
    const page = pdf.addPage(A5);
    page.drawRectangle({ x: 0, y: 0, width: A5[0], height: A5[1], color: rgb(red / 255, green / 255, blue / 255) });
    page.drawText(`Cara Rosa, pagina ${index + 1}`, { x: 40, y: 500, size: 24, font, color: rgb(1, 1, 1) });
    const link = pdf.context.register(
      pdf.context.obj({
        Type: "Annot",
        Subtype: "Link",
        Rect: [40, 480, 300, 530],
        A: { Type: "Action", S: "URI", URI: PDFString.of(`https://example.com/${SECRET_OF_PAPER}`) },
      }),
    );
    page.node.set(PDFName.of("Annots"), pdf.context.obj([link]));
  }
  const field = pdf.getForm().createTextField("name");
  field.setText("Rosa");
  field.addToPage(pdf.getPage(0), { x: 40, y: 100, width: 200, height: 40 });
  pdf.addJavaScript("open", `app.alert("${SECRET_OF_PAPER}")`);
  await pdf.attach(Buffer.from(SECRET_OF_PAPER), `${SECRET_OF_PAPER}.txt`, { mimeType: "text/plain" });
  pdf.setAuthor(SECRET_OF_PAPER);
  return Buffer.from(await pdf.save({ useObjectStreams: false }));
}

/** A letter that needs a password. */
export async function lockedLetter(): Promise<Buffer> {
  const pdf = await PDFDocument.load(await letter());
  pdf.encrypt({ userPassword: "rosa", ownerPassword: "owner" });
  return Buffer.from(await pdf.save());
}

/** A scan of pages in {@link PAGE_COLOURS}, as a TIFF. */
export async function scan(): Promise<Buffer> {
  const [width, height] = [300, 400];
  const pages = PAGE_COLOURS.map(([red, green, blue]) =>
    Buffer.from(Array.from({ length: width * height }, () => [red, green, blue]).flat()),
  );
  const raw = { width, height: height * pages.length, channels: 3, pageHeight: height } as const;
  return sharp(Buffer.concat(pages), { raw }).tiff({ compression: "lzw" }).toBuffer();
}

/** A PDF of these objects; the first one is the catalogue. A text is a dictionary, and a buffer its stream. */
export function pdfOf(objects: readonly (string | [dictionary: string, stream: Buffer])[]): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.7\n")];
  const places: number[] = [];
  let at = parts[0]?.length ?? 0;
  const add = (part: Buffer) => {
    parts.push(part);
    at += part.length;
  };
  for (const [index, object] of objects.entries()) {
    places.push(at);
    const [dictionary, stream] = typeof object === "string" ? [object, undefined] : object;
    const body = stream
      ? [Buffer.from(`<<${dictionary} /Length ${stream.length}>>\nstream\n`), stream, Buffer.from("\nendstream")]
      : [Buffer.from(dictionary)];
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), ...body, Buffer.from("\nendobj\n")]));
  }
  const start = at;
  const lines = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  add(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${lines}trailer\n<</Size ${size} /Root 1 0 R>>\n`));
  add(Buffer.from(`startxref\n${start}\n%%EOF\n`));
  return Buffer.concat(parts);
}

const CATALOGUE = "<</Type /Catalog /Pages 2 0 R>>";
const PAGES = "<</Type /Pages /Kids [3 0 R] /Count 1>>";
const page = (more = "", box = "0 0 300 400") => `<</Type /Page /Parent 2 0 R /MediaBox [${box}] ${more}>>`;
const deflated = (bytes: Buffer): [string, Buffer] => ["/Filter /FlateDecode", deflateSync(bytes)];

/** Papers that are damaged or meant to cost more than they may. */
export const HOSTILE_PAPERS: Record<string, () => Buffer | Promise<Buffer>> = {
  "10,000 pages": () => {
    const kids = Array.from({ length: 10_000 }, (_, index) => `${index + 3} 0 R`).join(" ");
    const pages = Array.from({ length: 10_000 }, () => page());
    return pdfOf([CATALOGUE, `<</Type /Pages /Kids [${kids}] /Count 10000>>`, ...pages]);
  },
  "a count of two billion pages": () => pdfOf([CATALOGUE, "<</Type /Pages /Kids [3 0 R] /Count 2000000000>>", page()]),
  "a page of 200 inches": () => pdfOf([CATALOGUE, PAGES, page("", "0 0 14400 14400")]),
  "a page of 10 to the 30": () => pdfOf([CATALOGUE, PAGES, page("", `0 0 1${"0".repeat(30)} 1${"0".repeat(30)}`)]),
  "a page without a size": () => pdfOf([CATALOGUE, PAGES, page("", "0 0 0 0")]),
  "a tree of pages that contains itself": () =>
    pdfOf([CATALOGUE, "<</Type /Pages /Kids [2 0 R 2 0 R] /Count 4 /Parent 2 0 R>>"]),
  "a drawing that draws itself": () =>
    pdfOf([
      CATALOGUE,
      PAGES,
      page("/Contents 4 0 R /Resources <</XObject <</A 5 0 R>>>>"),
      ["", Buffer.from("/A Do")],
      [
        "/Type /XObject /Subtype /Form /BBox [0 0 300 400] /Resources <</XObject <</A 5 0 R>>>>",
        Buffer.from("/A Do /A Do"),
      ],
    ]),
  "drawings that each draw the next one ten times": () =>
    pdfOf([
      CATALOGUE,
      PAGES,
      page("/Contents 4 0 R /Resources <</XObject <</A 5 0 R>>>>"),
      ["", Buffer.from("/A Do")],
      ...Array.from({ length: 12 }, (_, index): [string, Buffer] => [
        `/Type /XObject /Subtype /Form /BBox [0 0 300 400] /Resources <</XObject <</A ${index + 6} 0 R>>>>`,
        Buffer.from("/A Do ".repeat(10)),
      ]),
      ["/Type /XObject /Subtype /Form /BBox [0 0 300 400]", Buffer.from("0 0 300 400 re f")],
    ]),
  "a page of 400 MB of commands": () =>
    pdfOf([CATALOGUE, PAGES, page("/Contents 4 0 R"), deflated(Buffer.alloc(400_000_000, "0 0 9 9 re f\n"))]),
  "a picture of 40,000 × 40,000 pixels": () => {
    const [dictionary, stream] = deflated(Buffer.alloc(200_000_000));
    const picture =
      "/Type /XObject /Subtype /Image /Width 40000 /Height 40000 /BitsPerComponent 8 /ColorSpace /DeviceRGB";
    return pdfOf([
      CATALOGUE,
      PAGES,
      page("/Contents 4 0 R /Resources <</XObject <</A 5 0 R>>>>"),
      ["", Buffer.from("300 0 0 400 0 0 cm /A Do")],
      [`${picture} ${dictionary}`, stream],
    ]);
  },
  "half a letter": async () => {
    const whole = await letter();
    return whole.subarray(0, whole.length / 2);
  },
  "only its first line": () => Buffer.from("%PDF-1.7\n"),
  "a first line and noise": () => Buffer.concat([Buffer.from("%PDF-1.7\n"), deflateSync(Buffer.alloc(1_000_000))]),
};
