import { GripVertical } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { classNames } from "./class-names.ts";
import { IconButton } from "./IconButton.tsx";
import { useHeldPointer } from "./use-drag.ts";
import { useGridWindow } from "./use-grid-window.ts";
import { VisuallyHidden } from "./VisuallyHidden.tsx";

export interface ArrangeLabels {
  /** The name of the handle of an item. */
  handle: (name: string) => string;
  /** Screen reader announcements: item taken, moved to a position (from 1), put down, or returned. */
  taken: (name: string) => string;
  at: (place: number, count: number) => string;
  put: (place: number, count: number) => string;
  returned: string;
}

interface ArrangeListProps<Item extends { id: string }> {
  /** Key of the list's cached layout; lists with a different layout need different names. */
  name: string;
  items: readonly Item[];
  /** Number of items, including those not loaded yet. */
  total?: number;
  nameOf: (item: Item) => string;
  children: (item: Item, place: number) => ReactNode;
  /** Whether items have handles to be moved by. */
  arranging: boolean;
  onArrange: (ids: string[]) => void;
  labels: ArrangeLabels;
  className?: string;
}

/**
 * A virtualized list or grid whose items are reordered by a handle, with a pointer or the keyboard. Enter or Space
 * takes and puts down; the arrow keys, Home and End move; Escape cancels.
 */
export function ArrangeList<Item extends { id: string }>(props: ArrangeListProps<Item>) {
  const { name, items, total = props.items.length, nameOf, children, arranging, onArrange, labels, className } = props;
  const list = useRef<HTMLUListElement>(null);
  const handles = useRef(new Map<string, HTMLButtonElement>());
  const [carried, setCarried] = useState<{ id: string; order: string[] }>();
  const [pointer, setPointer] = useState<number>();
  const [said, setSaid] = useState("");
  const byId = new Map(items.map((item) => [item.id, item]));
  const order = carried?.order ?? items.map(({ id }) => id);
  const carriedId = carried?.id;
  const carriedAt = carriedId === undefined ? -1 : order.indexOf(carriedId);

  const { drawn, style, styleOf, onFocus } = useGridWindow(list, {
    name,
    count: order.length,
    keep: carriedAt < 0 ? undefined : carriedAt,
  });

  // An element that moves in the DOM loses the focus.
  useEffect(() => {
    const handle = carriedId !== undefined && carriedAt >= 0 ? handles.current.get(carriedId) : undefined;
    handle?.focus();
    // focus() does not scroll to an element that already has the focus. With a pointer, the item is in view.
    if (pointer === undefined) handle?.scrollIntoView({ block: "nearest" });
  }, [carriedId, carriedAt, pointer]);

  const take = (item: Item) => {
    setCarried({ id: item.id, order: items.map(({ id }) => id) });
    setSaid(labels.taken(nameOf(item)));
  };
  const moveTo = (place: number) => {
    if (!carried) return;
    const others = carried.order.filter((id) => id !== carried.id);
    const at = Math.max(0, Math.min(others.length, place));
    if (carried.order[at] === carried.id) return;
    setCarried({ id: carried.id, order: [...others.slice(0, at), carried.id, ...others.slice(at)] });
    setSaid(labels.at(at + 1, total));
  };
  const putDown = (keep: boolean) => {
    if (!carried) return;
    const hasChanged = carried.order.some((id, place) => id !== items[place]?.id);
    if (keep && hasChanged) onArrange(carried.order);
    setSaid(keep ? labels.put(carriedAt + 1, total) : labels.returned);
    setCarried(undefined);
    setPointer(undefined);
  };

  useHeldPointer(pointer, {
    onMove(point) {
      const elements = [...(list.current?.querySelectorAll<HTMLElement>(":scope > li") ?? [])];
      const boxes = elements.map((child) => child.getBoundingClientRect());
      const nearest = elements[nearestBox(point, boxes)];
      if (nearest) moveTo(Number(nearest.dataset.index));
    },
    onUp: () => putDown(true),
    onCancel: () => putDown(false),
  });

  const onKeyDown = (event: KeyboardEvent, item: Item) => {
    const chosen = event.key === "Enter" || event.key === " ";
    const place = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const end = { Home: 0, End: order.length }[event.key];
    if (chosen) carried ? putDown(true) : take(item);
    else if (!carried) return;
    else if (place !== undefined) moveTo(carriedAt + place);
    else if (end !== undefined) moveTo(end);
    else if (event.key === "Escape") putDown(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <>
      <ul ref={list} className={className} style={style} onFocus={onFocus}>
        {drawn.map((place) => {
          const id = order[place];
          const item = id === undefined ? undefined : byId.get(id);
          if (id === undefined || !item) return null;
          return (
            <li
              key={id}
              data-arranged={id}
              data-index={place}
              aria-posinset={place + 1}
              aria-setsize={total}
              style={styleOf(place)}
              className={classNames(
                "relative transition-[opacity,scale] duration-200 ease-out",
                carriedId === id && "z-10 scale-[1.02] opacity-90",
              )}
            >
              {children(item, place)}
              {arranging && (
                <IconButton
                  icon={GripVertical}
                  label={labels.handle(nameOf(item))}
                  aria-pressed={carriedId === id}
                  ref={(button) => {
                    if (button) handles.current.set(id, button);
                    else handles.current.delete(id);
                  }}
                  onKeyDown={(event) => onKeyDown(event, item)}
                  onBlur={() =>
                    carriedId === id && document.hasFocus() && requestAnimationFrame(() => leaveUnlessBack(id))
                  }
                  onPointerDown={(event) => {
                    if (event.button !== 0 || !event.isPrimary) return;
                    take(item);
                    setPointer(event.pointerId);
                  }}
                  className="absolute top-3 right-3 z-10 cursor-grab touch-none bg-raised text-ink shadow-soft aria-pressed:cursor-grabbing aria-pressed:bg-teal aria-pressed:text-night"
                />
              )}
            </li>
          );
        })}
      </ul>
      <VisuallyHidden>
        <span role="status">{said}</span>
      </VisuallyHidden>
    </>
  );

  /** Puts the item down if the focus has moved elsewhere. */
  function leaveUnlessBack(id: string) {
    if (document.activeElement !== handles.current.get(id)) putDown(true);
  }
}

/** The index of the box whose centre is nearest to a point; 0 without boxes. */
export function nearestBox(
  point: { x: number; y: number },
  boxes: readonly { left: number; top: number; width: number; height: number }[],
): number {
  const away = boxes.map(({ left, top, width, height }) =>
    Math.hypot(left + width / 2 - point.x, top + height / 2 - point.y),
  );
  return Math.max(0, away.indexOf(Math.min(...away)));
}
