import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { cmyk, PDFDocument } from "@cantoo/pdf-lib";
import { type Delivery, Engraving, engravedLink, groupedCode } from "../../shared/card.ts";
import { CARD, CARD_FACE } from "../../shared/card-face.ts";
import { RequestError } from "../../shared/request-error.ts";
import { layOut } from "../zip/zip-layout.ts";
import type { ZipEntry } from "../zip/zip-records.ts";
import { type CardFace, cardFace, type Mark } from "./card-face.ts";
import { groupedSecret } from "./claim-secret.ts";
import { outline, UnknownGlyphError } from "./outlines.ts";

/** Millimetres: the size of a card in landscape, so that card and slip fit into one envelope. */
const SLIP = { width: 86, height: 54 } as const;
const MARGIN = 7;

const WORDS = {
  en: {
    title: "Activate your card",
    lines: ["Scan the card, or open the address below.", "Enter this activation code and choose a memory."],
    card: "Card",
    keep: "Anyone with the card and slip can activate it. Keep it safe.",
  },
  it: {
    title: "Attiva la tua carta",
    lines: ["Inquadra la carta o apri l’indirizzo qui sotto.", "Poi inserisci questo codice di attivazione."],
    card: "Carta",
    keep: "Chi ha la carta e questo biglietto può attivarla. Conservalo bene.",
  },
};

function claimSlip(card: { code: string; language: "en" | "it"; link: string; secret: string }): Promise<Uint8Array> {
  const texts = WORDS[card.language];
  const marks: Mark[] = [
    line(texts.title, 6, 13),
    ...texts.lines.map((text, at) => line(text, 3.1, 20 + at * 4.4)),
    line(groupedSecret(card.secret), 7.5, 34.5),
    line(card.link.toLowerCase(), 2.9, 41.5),
    line(`${texts.card} ${groupedCode(card.code)}`, 2.9, 45.5),
    line(texts.keep, 2.5, 50),
  ];
  return pagePdf(SLIP, marks, `Skies ${card.code}`);
}

function line(text: string, size: number, y: number): Mark {
  const whole = outline(text, size);
  const room = SLIP.width - 2 * MARGIN;
  return { path: whole.path, x: MARGIN, y, scale: Math.min(1, room / whole.width) };
}

/** A row of private.cards_to_engrave. */
export interface CardToMake {
  id: string;
  code: string;
  place: number;
  making: "ordered" | "engraved";
  state: string;
  name: string;
  dates: string;
  finish: string;
  language: "en" | "it";
  address: Delivery | null;
  order_id: string;
  order_number: string;
}

interface PackFile {
  path: string;
  bytes: Uint8Array;
}

/**
 * Creates a ZIP file for the engraver with the cards of one or several orders: an SVG and a PDF file of each card in
 * its actual size, the claim slip if the card has a secret, a manifest (CSV and JSON) and checksums. Throws a
 * {@link RequestError} for cards that cannot be engraved.
 */
export async function engraversPack(
  cards: readonly CardToMake[],
  secrets: ReadonlyMap<string, string>,
  { publicUrl, at }: { publicUrl: string; at: Date },
): Promise<{ name: string; bytes: Uint8Array }> {
  const files: PackFile[] = [];
  const rows: Record<string, string | number>[] = [];
  for (const card of cards) {
    const link = engravedLink(publicUrl, card.code);
    const face = faceOf(card, link);
    const name = `${String(card.place).padStart(3, "0")}-${card.code}`;
    const svg = Buffer.from(cardSvg(face, card.code));
    const pdf = await cardPdf(face, card.code);
    files.push({ path: `cards/${name}.svg`, bytes: svg }, { path: `cards/${name}.pdf`, bytes: pdf });
    const secret = secrets.get(card.id);
    if (secret) {
      files.push({ path: `slips/${name}.pdf`, bytes: await claimSlip({ ...card, link, secret }) });
    }
    rows.push({
      ...manifestRow(card, link, face),
      slip: secret ? `slips/${name}.pdf` : "",
      svg: `cards/${name}.svg`,
      svg_sha256: sha256(svg),
      pdf: `cards/${name}.pdf`,
      pdf_sha256: sha256(pdf),
    });
  }
  const orders = [...new Set(cards.map(({ order_number }) => order_number))];
  const name = orders.length === 1 ? orders[0] : at.toISOString().slice(0, 19).replaceAll(/[:T]/g, "-");
  files.push(
    {
      path: "manifest.json",
      bytes: Buffer.from(`${JSON.stringify({ orders, made_at: at.toISOString(), cards: rows }, null, 2)}\n`),
    },
    { path: "manifest.csv", bytes: Buffer.from(csv(rows)) },
  );
  files.push({
    path: "checksums.sha256",
    bytes: Buffer.from(files.map(({ path, bytes }) => `${sha256(bytes)}  ${path}\n`).join("")),
  });
  return { name: `skies-cards-${name}.zip`, bytes: await zipped(files, at) };
}

function faceOf(card: CardToMake, link: string): CardFace {
  const engraving = Engraving.safeParse(card);
  try {
    if (engraving.success) return cardFace(engraving.data, link);
  } catch (error) {
    if (!(error instanceof UnknownGlyphError)) throw error;
  }
  throw new RequestError("not_engravable", {
    status: 409,
    message: `Card ${card.place} says what cannot be engraved: ${card.name} ${card.dates}`,
  });
}

function manifestRow(card: CardToMake, link: string, { code, module }: CardFace) {
  const { name: recipient = "", address } = card.address ?? {};
  return {
    order: card.order_number,
    card: card.place,
    code: card.code,
    link,
    name: card.name,
    dates: card.dates,
    finish: card.finish,
    language: card.language,
    width_mm: CARD.width,
    height_mm: CARD.height,
    code_side_mm: CARD_FACE.qr.side,
    // Finer codes are refused, because scanners could not read them.
    module_mm: Math.floor(module * 100) / 100,
    error_correction: code.correction,
    recipient,
    address: [address?.line1, address?.line2, address?.postal_code, address?.city, address?.state, address?.country]
      .filter(Boolean)
      .join(", "),
  };
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Formats rows as CSV (RFC 4180) with a header line. Cells cannot start a spreadsheet formula. */
function csv(rows: Record<string, string | number>[]): string {
  const cell = (value: string | number) => {
    const text = /^[=+\-@\t]/.test(String(value)) ? `'${value}` : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))];
  return lines.map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}

async function zipped(files: readonly PackFile[], at: Date): Promise<Uint8Array> {
  const entries = files.map(({ path, bytes }): ZipEntry & { bytes: Uint8Array } => ({
    path,
    bytes,
    size: bytes.length,
    crc32: crc32(bytes),
    at: at.toISOString().slice(0, 19),
  }));
  const chunks: Uint8Array[] = [];
  const layout = layOut(entries);
  const read = async function* ({ bytes }: (typeof entries)[number], { start, end }: { start: number; end: number }) {
    yield bytes.subarray(start, end + 1);
  };
  for await (const chunk of layout.bytes(read)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const POINTS_PER_MM = 72 / 25.4;

/** Draws a card as an SVG file in its actual size. Black areas are engraved; text is outlines and needs no font. */
function cardSvg({ marks }: CardFace, title: string): string {
  const { width, height } = CARD;
  const paths = marks.map(
    ({ path, x, y, scale }) =>
      `<path transform="translate(${round(x)} ${round(y)}) scale(${round(scale)})" d="${path}"/>`,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height}mm" viewBox="0 0 ${width} ${height}">` +
    `<title>${title}</title><g fill="#000">${paths.join("")}</g></svg>\n`
  );
}

const round = (value: number) => Math.round(value * 1e5) / 1e5;

/** {@link cardSvg} as a PDF file, in black only. */
const cardPdf = ({ marks }: CardFace, title: string): Promise<Uint8Array> => pagePdf(CARD, marks, title);

interface PageSize {
  width: number;
  height: number;
}

const pagePdf = (size: PageSize, marks: readonly Mark[], title: string) => pagesPdf(size, [marks], title);

/** Pages of a size in millimetres. Equal marks yield equal bytes. */
export async function pagesPdf(
  { width, height }: PageSize,
  pages: readonly (readonly Mark[])[],
  title: string,
): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.setTitle(title);
  pdf.setCreator("Skies");
  pdf.setProducer("Skies");
  pdf.setCreationDate(new Date(0));
  pdf.setModificationDate(new Date(0));
  for (const marks of pages) {
    const page = pdf.addPage([width * POINTS_PER_MM, height * POINTS_PER_MM]);
    for (const { path, x, y, scale } of marks) {
      page.drawSvgPath(path, {
        x: x * POINTS_PER_MM,
        y: (height - y) * POINTS_PER_MM,
        scale: scale * POINTS_PER_MM,
        color: cmyk(0, 0, 0, 1),
        borderWidth: 0,
      });
    }
  }
  return pdf.save();
}
