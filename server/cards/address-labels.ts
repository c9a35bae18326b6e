import type { Delivery } from "../../shared/card.ts";
import { countryName } from "../../shared/country-name.ts";
import { RequestError } from "../../shared/request-error.ts";
import type { Mark } from "./card-face.ts";
import { pagesPdf } from "./engravers-pack.ts";
import { outline, UnknownGlyphError } from "./outlines.ts";

/** A4 sheets of 3 × 8 labels, each 70 × 37 mm, as stationers sell them. In millimetres. */
const SHEET = { width: 210, height: 297, columns: 3, rows: 8, label: { width: 70, height: 37 }, top: 0.5 } as const;
const LABELS_A_SHEET = SHEET.columns * SHEET.rows;
const MARGIN = 7;
const LINE = 4.9;

/** A parcel's address, with its order and its number of cards. */
export interface Parcel {
  address: Delivery;
  order_number: string;
  cards: number;
}

/** Address labels as a PDF file; the first `used` labels of the first sheet are skipped. */
export function addressLabels(parcels: readonly Parcel[], used: number): Promise<Uint8Array> {
  const pages = Array.from({ length: Math.ceil((used + parcels.length) / LABELS_A_SHEET) }, (): Mark[] => []);
  for (const [index, parcel] of parcels.entries()) {
    const at = index + used;
    const place = at % LABELS_A_SHEET;
    const x = (place % SHEET.columns) * SHEET.label.width;
    const top = SHEET.top + Math.floor(place / SHEET.columns) * SHEET.label.height;
    const marks = labelMarks(parcel).map((mark) => ({ ...mark, x: x + mark.x, y: top + mark.y }));
    pages[Math.floor(at / LABELS_A_SHEET)]?.push(...marks);
  }
  return pagesPdf(SHEET, pages, "Skies");
}

function labelMarks({ address: { name, address }, order_number, cards }: Parcel): Mark[] {
  const { line1, line2, postal_code, city, state, country } = address;
  const place = [postal_code, city, state].filter(Boolean).join(" ");
  // The country is in English and in capitals, as postal services require it.
  const destination = countryName(country ?? "", "en").toUpperCase();
  const lines = [name, line1, line2, place, destination].filter((text): text is string => Boolean(text));
  try {
    return [
      ...lines.map((text, index) => line(text, 4.2, MARGIN + 2 + index * LINE)),
      line(`${order_number} · ${cards}`, 2.4, SHEET.label.height - 3.5),
    ];
  } catch (error) {
    if (!(error instanceof UnknownGlyphError)) throw error;
    throw new RequestError("not_engravable", {
      status: 409,
      message: `The address of order ${order_number} has letters that cannot be printed here.`,
    });
  }
}

/** Lays out a line of text, scaled down if it is wider than the label. */
function line(text: string, size: number, y: number): Mark {
  const { path, width } = outline(text, size);
  return { path, x: MARGIN, y, scale: Math.min(1, (SHEET.label.width - 2 * MARGIN) / Math.max(width, 1)) };
}
