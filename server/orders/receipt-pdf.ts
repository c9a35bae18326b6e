import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { PDFDocument, type PDFFont, type PDFPage, rgb } from "@cantoo/pdf-lib";
import { create } from "fontkit";
import { countryName } from "../../shared/country-name.ts";
import { type Currency, moneyText } from "../../shared/money.ts";

/** The content of a receipt; money in pence or cents. */
export interface ReceiptFacts {
  number: string;
  email: string;
  /** The delivery address, if there is one. */
  delivery: { name?: string; address?: Record<string, string | null> } | null;
  paid_at: Date;
  currency: Currency;
  subtotal: number;
  discount: number;
  total: number;
  tax: number;
  refunded: number;
  voucher_code: string | null;
  lines: {
    kind: "plan" | "card";
    quantity: number;
    unit_amount: number;
    terms: { name: string; term_years?: number | null; included_cards?: number | null };
  }[];
}

/** A4, in points. */
const PAGE = { width: 595.28, height: 841.89, margin: 56 } as const;
const RIGHT = PAGE.width - PAGE.margin;
const COLUMNS = { pieces: 360, each: 450 } as const;
const INK = rgb(0.114, 0.169, 0.212);
const SOFT = rgb(0.325, 0.38, 0.424);
const TEAL = rgb(0.051, 0.4, 0.376);

/** Draws the receipt of a paid order as an A4 PDF in a language and an IANA time zone; a long one has several pages. */
export async function receiptPdf(facts: ReceiptFacts, language: "en" | "it", timeZone: string): Promise<Uint8Array> {
  const texts = RECEIPT_WORDS[language];
  const pdf = await PDFDocument.create();
  pdf.setTitle(`Skies · ${texts.title} ${facts.number}`);
  pdf.setLanguage(language);
  pdf.setCreationDate(facts.paid_at);
  const pen = new Pen(pdf, openTypeface(pdf));
  const money = (amount: number) => moneyText(amount, facts.currency);
  const day = new Intl.DateTimeFormat(language === "it" ? "it" : "en-GB", { dateStyle: "long", timeZone });

  pen.horizon();
  await pen.write("Skies", { x: PAGE.margin + 44, size: 20, weight: "strong" });
  await pen.write(texts.title, { x: RIGHT, size: 20, align: "end" });
  pen.down(46);
  await fact(pen, texts.number, facts.number);
  await fact(pen, texts.date, day.format(facts.paid_at));
  await fact(pen, texts.buyer, facts.email);
  for (const line of addressOf(facts.delivery, language)) await fact(pen, "", line);

  pen.down(20);
  await pen.write(texts.what, { soft: true });
  await pen.write(texts.pieces, { x: COLUMNS.pieces, align: "end", soft: true });
  await pen.write(texts.each, { x: COLUMNS.each, align: "end", soft: true });
  await pen.write(texts.sum, { x: RIGHT, align: "end", soft: true });
  pen.rule();
  for (const { kind, quantity, unit_amount, terms } of facts.lines) {
    const more = [
      kind === "plan" && terms.term_years && texts.years(terms.term_years),
      kind === "plan" && terms.included_cards && texts.cards(terms.included_cards),
    ].filter((part) => typeof part === "string");
    await pen.write(kind === "plan" ? terms.name : texts.card, { weight: "strong" });
    await pen.write(`${quantity}`, { x: COLUMNS.pieces, align: "end" });
    await pen.write(money(unit_amount), { x: COLUMNS.each, align: "end" });
    await pen.write(money(unit_amount * quantity), { x: RIGHT, align: "end" });
    if (more.length > 0) {
      pen.down(15);
      await pen.write(more.join(", "), { soft: true, size: 9.5 });
    }
    pen.rule();
  }

  const { discount, tax, refunded, total, voucher_code } = facts;
  const sums: [name: string, amount: number, weight: Weight][] = [[texts.total, total, "strong"]];
  if (discount > 0) {
    const name = voucher_code ? texts.voucher(voucher_code) : texts.discount;
    sums.unshift([texts.subtotal, facts.subtotal, "plain"], [name, -discount, "plain"]);
  }
  if (tax > 0) sums.push([texts.tax, tax, "plain"]);
  if (refunded > 0) sums.push([texts.refunded, -refunded, "plain"], [texts.remains, total - refunded, "strong"]);
  pen.down(6);
  for (const [name, amount, weight] of sums) {
    await pen.write(name, { x: COLUMNS.each, align: "end", weight, soft: weight === "plain" });
    await pen.write(money(amount), { x: RIGHT, align: "end", weight });
    pen.down(20);
  }
  pen.down(30);
  await pen.write(texts.thanks, { soft: true, size: 9.5 });
  return pdf.save();
}

async function fact(pen: Pen, name: string, value: string) {
  await pen.write(name, { soft: true });
  await pen.write(value, { x: PAGE.margin + 90 });
  pen.down(18);
}

function addressOf(delivery: ReceiptFacts["delivery"], language: string): string[] {
  const { line1, line2, city, state, postal_code, country } = delivery?.address ?? {};
  const place = [postal_code, city, state].filter(Boolean).join(" ");
  const lines = [delivery?.name, line1, line2, place, countryName(country ?? "", language)];
  return lines.filter((line): line is string => Boolean(line));
}

interface Look {
  x?: number;
  size?: number;
  weight?: Weight;
  align?: "start" | "end";
  soft?: boolean;
}

/** Writes text from top to bottom, and adds a page when one is full. */
class Pen {
  private page: PDFPage;
  private y: number = PAGE.height - PAGE.margin - 16;

  constructor(
    private readonly pdf: PDFDocument,
    private readonly typeface: Typeface,
  ) {
    this.page = pdf.addPage([PAGE.width, PAGE.height]);
  }

  down(by: number) {
    this.y -= by;
    if (this.y > PAGE.margin + 24) return;
    this.page = this.pdf.addPage([PAGE.width, PAGE.height]);
    this.y = PAGE.height - PAGE.margin - 16;
  }

  async write(text: string, { x = PAGE.margin, size = 11, weight = "plain", align = "start", soft }: Look = {}) {
    const runs = await this.typeface.runs(text, weight);
    const widthOf = ({ font, text }: { font: PDFFont; text: string }) => font.widthOfTextAtSize(text, size);
    let at = align === "end" ? x - runs.reduce((sum, run) => sum + widthOf(run), 0) : x;
    for (const run of runs) {
      this.page.drawText(run.text, { x: at, y: this.y, size, font: run.font, color: soft ? SOFT : INK });
      at += widthOf(run);
    }
  }

  /** Draws a line across the page, below the last text. */
  rule() {
    this.down(10);
    const [start, end] = [
      { x: PAGE.margin, y: this.y },
      { x: RIGHT, y: this.y },
    ];
    this.page.drawLine({ start, end, thickness: 0.5, color: SOFT, opacity: 0.5 });
    this.down(18);
  }

  /** Draws the product's logo: a sun above a line. */
  horizon() {
    const path = "M0 15L36 15L36 16.2L0 16.2ZM7 15C7 0 29 0 29 15L27.6 15C27.6 1.8 8.4 1.8 8.4 15Z";
    this.page.drawSvgPath(path, { x: PAGE.margin, y: this.y + 15, color: TEAL, borderWidth: 0 });
  }
}

/** The texts of a receipt, in both languages. */
const RECEIPT_WORDS = {
  en: {
    title: "Receipt",
    number: "Receipt number",
    date: "Date paid",
    buyer: "Customer",
    what: "Description",
    pieces: "Quantity",
    each: "Unit price",
    sum: "Amount",
    subtotal: "Subtotal",
    discount: "Discount",
    voucher: (code: string) => `Discount, voucher ${code}`,
    total: "Total paid",
    tax: "including tax",
    refunded: "Refunded",
    remains: "Total after refund",
    card: "Metal card",
    years: (n: number) => (n === 1 ? "for 1 year" : `for ${n} years`),
    cards: (n: number) => (n === 1 ? "with 1 metal card" : `with ${n} metal cards`),
    thanks: "Thank you. Skies, your private memory portal",
  },
  it: {
    title: "Ricevuta",
    number: "Numero",
    date: "Pagato il",
    buyer: "Cliente",
    what: "Descrizione",
    pieces: "Quantità",
    each: "Prezzo unitario",
    sum: "Importo",
    subtotal: "Subtotale",
    discount: "Sconto",
    voucher: (code: string) => `Sconto, codice ${code}`,
    total: "Totale pagato",
    tax: "di cui imposte",
    refunded: "Rimborsato",
    remains: "Totale dopo il rimborso",
    card: "Carta in metallo",
    years: (n: number) => (n === 1 ? "per 1 anno" : `per ${n} anni`),
    cards: (n: number) => (n === 1 ? "con 1 carta in metallo" : `con ${n} carte in metallo`),
    thanks: "Grazie. Skies, il tuo portale privato dei ricordi",
  },
} as const;

/** Subsets of the product's sans-serif font, one file each, the most common first. The licence permits embedding. */
const PARTS = ["latin", "latin-ext", "cyrillic", "cyrillic-ext", "greek", "greek-ext", "vietnamese"] as const;
const WEIGHTS = { plain: 400, strong: 600 } as const;
type Weight = keyof typeof WEIGHTS;

/** The font of a document. Only the used characters are embedded. */
interface Typeface {
  /** Splits text into runs that each use one font file. Characters that no file contains are left out. */
  runs: (text: string, weight: Weight) => Promise<{ font: PDFFont; text: string }[]>;
}

interface Part {
  file: string;
  bytes: Buffer;
  has: (code: number) => boolean;
}

// Static WOFF files, one for each weight, because a variable font cannot be subset for a document.
const fileOf = (part: string, weight: Weight) =>
  createRequire(import.meta.url).resolve(
    `@fontsource/source-sans-3/files/source-sans-3-${part}-${WEIGHTS[weight]}-normal.woff`,
  );

const partsByFile = new Map<string, Promise<Part>>();

/** Reads a font file at its first use. The cache serves all documents. */
function partOf(name: string, weight: Weight): Promise<Part> {
  const file = fileOf(name, weight);
  const part = partsByFile.get(file) ?? readFile(file).then((bytes) => ({ file, bytes, has: glyphsOf(bytes) }));
  partsByFile.set(file, part);
  return part;
}

function glyphsOf(bytes: Buffer) {
  const font = create(bytes);
  if (!("hasGlyphForCodePoint" in font)) throw new Error("The file holds no single typeface");
  return (code: number) => font.hasGlyphForCodePoint(code);
}

/** Registers the font with a document. */
function openTypeface(pdf: PDFDocument): Typeface {
  pdf.registerFontkit({ create: (bytes: Uint8Array) => create(Buffer.from(bytes)) });
  const embedded = new Map<string, Promise<PDFFont>>();
  const embed = ({ file, bytes }: Part) => {
    const font = embedded.get(file) ?? pdf.embedFont(bytes, { subset: true });
    embedded.set(file, font);
    return font;
  };
  const partWith = async (code: number, weight: Weight) => {
    for (const name of PARTS) {
      const part = await partOf(name, weight);
      if (part.has(code)) return part;
    }
    return undefined;
  };
  return {
    async runs(text, weight) {
      const fontRuns: { part: Part; text: string }[] = [];
      for (const letter of text.normalize("NFC")) {
        const code = letter.codePointAt(0) ?? 0;
        const last = fontRuns.at(-1);
        const part = last?.part.has(code) ? last.part : await partWith(code, weight);
        if (last && part === last.part) last.text += letter;
        else if (part) fontRuns.push({ part, text: letter });
      }
      return Promise.all(fontRuns.map(async ({ part, text }) => ({ font: await embed(part), text })));
    },
  };
}
