/** A box in CSS pixels, from the top left of the gallery. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Layout {
  /** One for each photo, in their order. */
  boxes: Box[];
  height: number;
}

export interface LayoutOptions {
  /** Width of the gallery, CSS pixels. */
  width: number;
  /** The height that rows come close to. */
  rowHeight: number;
  gap: number;
}

const NARROWEST = 0.4;
const WIDEST = 3.5;

/** Width by height as the layout uses it: extreme panoramas and strips are cropped a little rather than ruling a row. */
export const usableRatio = (width: number | null, height: number | null) =>
  width && height ? Math.min(WIDEST, Math.max(NARROWEST, width / height)) : 4 / 3;

/**
 * Lays photos of these ratios (width by height) out in rows that all reach both edges, as a page of a photo album. Each
 * row takes photos until adding the next would leave its height further from `rowHeight` than stopping; the last row keeps
 * `rowHeight` where it is short. Sides are whole pixels, and every row's widths and gaps add up to exactly `width`.
 */
export function justifiedLayout(ratios: readonly number[], { width, rowHeight, gap }: LayoutOptions): Layout {
  const boxes: Box[] = [];
  let top = 0;
  let row: number[] = [];

  const heightOf = (rowRatios: readonly number[]) =>
    (width - gap * (rowRatios.length - 1)) / rowRatios.reduce((sum, ratio) => sum + ratio, 0);

  const place = (height: number, full: boolean) => {
    const rounded = Math.max(1, Math.round(height));
    let left = 0;
    row.forEach((ratio, index) => {
      const isLast = index === row.length - 1;
      const boxWidth = full && isLast ? width - left : Math.max(1, Math.round(ratio * height));
      boxes.push({ left, top, width: boxWidth, height: rounded });
      left += boxWidth + gap;
    });
    top += rounded + gap;
    row = [];
  };

  for (const ratio of ratios) {
    const before = row.length > 0 ? heightOf(row) : Number.POSITIVE_INFINITY;
    const after = heightOf([...row, ratio]);
    if (row.length > 0 && after < rowHeight && rowHeight - after > before - rowHeight) place(before, true);
    row.push(ratio);
    // A row this low only moves further from its height with every further photo.
    const now = heightOf(row);
    if (now <= rowHeight) place(now, true);
  }
  if (row.length > 0) {
    const full = heightOf(row);
    if (full <= rowHeight * 1.25) place(full, true);
    else place(Math.min(rowHeight, full), false);
  }
  return { boxes, height: Math.max(0, top - gap) };
}
