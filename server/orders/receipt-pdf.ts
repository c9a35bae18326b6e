import { PDFDocument, type PDFFont, type PDFPage, rgb } from "@cantoo/pdf-lib";
import { type Currency, moneyText } from "../../shared/money.ts";
import { openTypeface, type Typeface, type Weight } from "./receipt-fonts.ts";
import { RECEIPT_WORDS } from "./receipt-texts.ts";

/** What a receipt tells of an order; money in pence or cents. */
export interface ReceiptFacts {
  number: string;
  email: string;
  /** Where it was sent, where something was. */
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

/** Draws the receipt of a paid order as an A4 PDF in a language; a long one goes on on further pages. */
export async function receiptPdf(facts: ReceiptFacts, language: "en" | "it"): Promise<Uint8Array> {
  const words = RECEIPT_WORDS[language];
  const pdf = await PDFDocument.create();
  pdf.setTitle(`Skies · ${words.title} ${facts.number}`);
  pdf.setLanguage(language);
  pdf.setCreationDate(facts.paid_at);
  const pen = new Pen(pdf, openTypeface(pdf));
  const money = (amount: number) => moneyText(amount, facts.currency);
  const day = new Intl.DateTimeFormat(language === "it" ? "it" : "en-GB", { dateStyle: "long", timeZone: "UTC" });

  pen.horizon();
  await pen.write("Skies", { x: PAGE.margin + 44, size: 20, weight: "strong" });
  await pen.write(words.title, { x: RIGHT, size: 20, align: "end" });
  pen.down(46);
  await fact(pen, words.number, facts.number);
  await fact(pen, words.date, day.format(facts.paid_at));
  await fact(pen, words.buyer, facts.email);
  for (const line of addressOf(facts.delivery)) await fact(pen, "", line);

  pen.down(20);
  await pen.write(words.what, { soft: true });
  await pen.write(words.pieces, { x: COLUMNS.pieces, align: "end", soft: true });
  await pen.write(words.each, { x: COLUMNS.each, align: "end", soft: true });
  await pen.write(words.sum, { x: RIGHT, align: "end", soft: true });
  pen.rule();
  for (const { kind, quantity, unit_amount, terms } of facts.lines) {
    const more = [
      kind === "plan" && terms.term_years && words.years(terms.term_years),
      kind === "plan" && terms.included_cards && words.cards(terms.included_cards),
    ].filter((part) => typeof part === "string");
    await pen.write(kind === "plan" ? terms.name : words.card, { weight: "strong" });
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
  const sums: [name: string, amount: number, weight: Weight][] = [[words.total, total, "strong"]];
  if (discount > 0) {
    const name = voucher_code ? words.voucher(voucher_code) : words.discount;
    sums.unshift([words.subtotal, facts.subtotal, "plain"], [name, -discount, "plain"]);
  }
  if (tax > 0) sums.push([words.tax, tax, "plain"]);
  if (refunded > 0) sums.push([words.refunded, -refunded, "plain"], [words.remains, total - refunded, "strong"]);
  pen.down(6);
  for (const [name, amount, weight] of sums) {
    await pen.write(name, { x: COLUMNS.each, align: "end", weight, soft: weight === "plain" });
    await pen.write(money(amount), { x: RIGHT, align: "end", weight });
    pen.down(20);
  }
  pen.down(30);
  await pen.write(words.thanks, { soft: true, size: 9.5 });
  return pdf.save();
}

async function fact(pen: Pen, name: string, value: string) {
  await pen.write(name, { soft: true });
  await pen.write(value, { x: PAGE.margin + 90 });
  pen.down(18);
}

function addressOf(delivery: ReceiptFacts["delivery"]): string[] {
  const { line1, line2, city, state, postal_code, country } = delivery?.address ?? {};
  const place = [postal_code, city, state].filter(Boolean).join(" ");
  return [delivery?.name, line1, line2, place, country].filter((line): line is string => Boolean(line));
}

interface Look {
  x?: number;
  size?: number;
  weight?: Weight;
  align?: "start" | "end";
  soft?: boolean;
}

/** Writes from above to below, and takes another page when one is full. */
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
    const widthOf = ({ font, words }: { font: PDFFont; words: string }) => font.widthOfTextAtSize(words, size);
    let at = align === "end" ? x - runs.reduce((sum, run) => sum + widthOf(run), 0) : x;
    for (const run of runs) {
      this.page.drawText(run.words, { x: at, y: this.y, size, font: run.font, color: soft ? SOFT : INK });
      at += widthOf(run);
    }
  }

  /** A line across the page, under what was just written. */
  rule() {
    this.down(10);
    const [start, end] = [
      { x: PAGE.margin, y: this.y },
      { x: RIGHT, y: this.y },
    ];
    this.page.drawLine({ start, end, thickness: 0.5, color: SOFT, opacity: 0.5 });
    this.down(18);
  }

  /** The product's sign: a sun above a line. */
  horizon() {
    const path = "M0 15L36 15L36 16.2L0 16.2ZM7 15C7 0 29 0 29 15L27.6 15C27.6 1.8 8.4 1.8 8.4 15Z";
    this.page.drawSvgPath(path, { x: PAGE.margin, y: this.y + 15, color: TEAL, borderWidth: 0 });
  }
}
