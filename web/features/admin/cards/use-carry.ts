import { type PointerEvent, useEffect, useState } from "react";
import { useHeldPointer } from "../../../ui/use-drag.ts";

interface Carried {
  id: string;
  pointer: number;
  /** How far it was moved, in CSS pixels. */
  by: { x: number; y: number };
  from: { x: number; y: number };
  over: string | undefined;
}

/** Carries a card of a board over its columns, which have the attribute `data-column`, and tells in which it was dropped. */
export function useCarry(onDrop: (id: string, column: string) => void) {
  const [carried, setCarried] = useState<Carried>();
  useHeldPointer(carried?.pointer, {
    onMove({ x, y }) {
      const over = document
        .elementsFromPoint(x, y)
        .map((element) => element.closest<HTMLElement>("[data-column]")?.dataset.column)
        .find(Boolean);
      setCarried((held) => held && { ...held, over, by: { x: x - held.from.x, y: y - held.from.y } });
    },
    onUp() {
      setCarried(undefined);
      if (carried?.over !== undefined) onDrop(carried.id, carried.over);
    },
    onCancel: () => setCarried(undefined),
  });
  const isHeld = carried !== undefined;
  useEffect(() => {
    if (!isHeld) return;
    const leave = (event: KeyboardEvent) => event.key === "Escape" && setCarried(undefined);
    window.addEventListener("keydown", leave);
    return () => window.removeEventListener("keydown", leave);
  }, [isHeld]);
  return {
    carried,
    take(event: PointerEvent, id: string) {
      if (event.button !== 0 || !event.isPrimary) return;
      const from = { x: event.clientX, y: event.clientY };
      setCarried({ id, pointer: event.pointerId, from, by: { x: 0, y: 0 }, over: undefined });
    },
  };
}
