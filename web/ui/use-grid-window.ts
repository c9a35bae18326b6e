import { type CSSProperties, type FocusEvent, type RefObject, useLayoutEffect, useState } from "react";
import { useNearRange } from "./use-near-range.ts";

/** Number of items rendered before the list is measured. */
const AT_FIRST = 12;

/** Last layout by list name and window width, so that a revisited list has its full height at once. */
const shapes = new Map<string, GridShape>();

interface GridWindow {
  /** The indexes of the items to render, in order. */
  drawn: number[];
  /** Style of the list: padding in place of the items that are not rendered. */
  style: CSSProperties | undefined;
  /** Style of an item: positions one that is rendered outside of the visible range. */
  styleOf: (index: number) => CSSProperties | undefined;
  /** Handler of the list: keeps the focused item rendered. */
  onFocus: (event: FocusEvent) => void;
}

/**
 * Returns which items of a list or grid are near the window. Rows must have equal heights and items a `data-index`.
 * `name` is the key of the cached layout. `keep` is the index of an item that always stays rendered.
 */
export function useGridWindow(
  list: RefObject<HTMLElement | null>,
  { name, count, keep }: { name: string; count: number; keep?: number },
): GridWindow {
  const range = useNearRange(list);
  const key = `${name} ${window.innerWidth}`;
  const [shape, setShape] = useState(shapes.get(key));
  const [focused, setFocused] = useState<number>();
  const isEmpty = count === 0;

  useLayoutEffect(() => {
    const element = list.current;
    if (!element || isEmpty) return;
    const measure = () => {
      const item = [...element.children].find((child) => getComputedStyle(child).position !== "absolute");
      // A list that is hidden has no size yet.
      if (!item || element.offsetWidth === 0) return;
      const { gridTemplateColumns, rowGap } = getComputedStyle(element);
      const columns = gridTemplateColumns === "none" ? 1 : gridTemplateColumns.split(" ").length;
      const now = {
        columns,
        row: Number.parseFloat(getComputedStyle(item).height),
        gap: Number.parseFloat(rowGap) || 0,
      };
      shapes.set(`${name} ${window.innerWidth}`, now);
      setShape((before) =>
        before?.columns === now.columns && before.row === now.row && before.gap === now.gap ? before : now,
      );
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => resized.disconnect();
  }, [list, name, isEmpty]);

  const { first, last } = shape
    ? itemsBetween(shape, count, range.from, range.to)
    : { first: 0, last: Math.min(count, AT_FIRST) };
  const drawn = Array.from({ length: last - first }, (_, at) => first + at);
  for (const index of [keep, focused]) {
    if (index !== undefined && index >= 0 && index < count && !drawn.includes(index)) drawn.push(index);
  }
  drawn.sort((a, b) => a - b);

  const rowOf = (index: number) => (shape ? Math.floor(index / shape.columns) : 0);
  const pitch = shape ? shape.row + shape.gap : 0;
  const rows = shape ? Math.ceil(count / shape.columns) : 0;
  return {
    drawn,
    // Padding instead of explicit grid rows or columns, which would create extra columns when the window is resized.
    style: shape && {
      position: "relative",
      paddingTop: rowOf(first) * pitch,
      paddingBottom: (rows - Math.ceil(last / shape.columns)) * pitch,
    },
    styleOf: (index) =>
      shape && (index < first || index >= last)
        ? {
            position: "absolute",
            top: rowOf(index) * pitch,
            insetInlineStart: `${((index % shape.columns) / shape.columns) * 100}%`,
            width: `${100 / shape.columns}%`,
          }
        : undefined,
    onFocus: ({ target }) => {
      const item = target.closest<HTMLElement>("[data-index]");
      if (item && list.current?.contains(item)) setFocused(Number(item.dataset.index));
    },
  };
}

/** The layout of a grid of equal rows: the number of columns, and the heights of a row and a gap in CSS pixels. */
interface GridShape {
  columns: number;
  row: number;
  gap: number;
}

/** A range of items; `last` is exclusive. */
interface ItemRange {
  first: number;
  last: number;
}

/** Returns the items of all rows that are partly between two distances from the grid's top; at least one row. */
export function itemsBetween({ columns, row, gap }: GridShape, count: number, from: number, to: number): ItemRange {
  const rows = Math.ceil(count / columns);
  const pitch = row + gap;
  const within = (number: number) => Math.min(Math.max(0, rows - 1), Math.max(0, number));
  const first = within(Math.floor(from / pitch));
  const last = Math.max(first, within(Math.ceil(to / pitch) - 1));
  return { first: first * columns, last: Math.min(count, (last + 1) * columns) };
}
