import { type ReactNode, useRef } from "react";
import { useGridWindow } from "./use-grid-window.ts";

interface WindowedGridProps<Item> {
  /** Key of the list's cached layout; lists with a different layout need different names. */
  name: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  children: (item: Item, index: number) => ReactNode;
  /** Classes of a CSS grid, with gaps and columns. All rows must have the same height. */
  className: string;
  /** Number of items, including those not loaded yet. */
  total?: number;
}

/** A virtualized list or grid: only items near the window are rendered, at the height of the full list. */
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
