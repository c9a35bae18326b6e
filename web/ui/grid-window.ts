/** How a grid of equal rows is laid out: its columns, and the height of a row and of the gap under it in CSS pixels. */
export interface GridShape {
  columns: number;
  row: number;
  gap: number;
}

/** The items from `first` to before `last`. */
export interface ItemRange {
  first: number;
  last: number;
}

/** The items whose rows lie, in part at least, between two heights from the grid's top; one row at least. */
export function itemsBetween({ columns, row, gap }: GridShape, count: number, from: number, to: number): ItemRange {
  const rows = Math.ceil(count / columns);
  const pitch = row + gap;
  const within = (number: number) => Math.min(Math.max(0, rows - 1), Math.max(0, number));
  const first = within(Math.floor(from / pitch));
  const last = Math.max(first, within(Math.ceil(to / pitch) - 1));
  return { first: first * columns, last: Math.min(count, (last + 1) * columns) };
}
