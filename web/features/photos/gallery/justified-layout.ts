/** A box in CSS pixels, relative to the gallery's top left. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Layout {
  /** Boxes of the photos, in order. */
  boxes: Box[];
  height: number;
}

export interface LayoutOptions {
  /** Width of the gallery, CSS pixels. */
  width: number;
  /** The preferred height of rows. */
  rowHeight: number;
  gap: number;
}

const NARROWEST = 0.4;
const WIDEST = 3.5;

/**
 * Returns the aspect ratio (width / height) for the layout. Extreme photos are cropped, so as not to dominate a row.
 */
export const usableRatio = (width: number | null, height: number | null) =>
  // Rounded as in an outline, so that nothing moves when the photo's row has been loaded.
  width && height ? Math.min(WIDEST, Math.max(NARROWEST, Math.round((width / height) * 1000) / 1000)) : 4 / 3;

/**
 * Lays photos out in rows that fill the width, from their aspect ratios (width / height). A row ends when another photo
 * would move its height further from `rowHeight`; a short last row has `rowHeight`. Widths and gaps of a full row are
 * whole pixels that add up to exactly `width`.
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
    // Ends the row, because another photo would only reduce its height further.
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
