import { type ReactNode, useRef } from "react";
import { useGridWindow } from "./use-grid-window.ts";

interface WindowedGridProps<Item> {
  /** Tells lists of different shape apart. */
  name: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  children: (item: Item, index: number) => ReactNode;
  /** Lays out a CSS grid, with gaps and columns; all rows are as high as the first. */
  className: string;
  /** All that there are, where more than the items are still to be loaded. */
  total?: number;
}

/** A list or grid of which only what is near the window is drawn, in a place that has room for all of it. */
export function WindowedGrid<Item>({ name, items, keyOf, children, className, total }: WindowedGridProps<Item>) {
  const list = useRef<HTMLUListElement>(null);
  const { drawn, style, styleOf, onFocus } = useGridWindow(list, { name, count: items.length });
  return (
    <ul ref={list} className={className} style={style} onFocus={onFocus}>
      {drawn.map((index) => {
        const item = items[index];
        return (
          item !== undefined && (
            <li
              key={keyOf(item)}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={total ?? items.length}
              style={styleOf(index)}
            >
              {children(item, index)}
            </li>
          )
        );
      })}
    </ul>
  );
}
