import { type PointerEvent as ReactPointerEvent, useEffect, useRef, useState } from "react";
import { useLatest } from "../../../lib/browser/use-latest.ts";

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
  const drop = useLatest(onDrop);
  const now = useRef<Carried>(undefined);
  now.current = carried;
  const pointer = carried?.pointer;
  useEffect(() => {
    if (pointer === undefined) return;
    const listening = new AbortController();
    const on = (type: "pointermove" | "pointerup" | "pointercancel", heard: (event: PointerEvent) => void) =>
      window.addEventListener(type, (event) => event.pointerId === pointer && heard(event), listening);
    on("pointermove", ({ clientX: x, clientY: y }) => {
      const over = document
        .elementsFromPoint(x, y)
        .map((element) => element.closest<HTMLElement>("[data-column]")?.dataset.column)
        .find(Boolean);
      setCarried((held) => held && { ...held, over, by: { x: x - held.from.x, y: y - held.from.y } });
    });
    on("pointerup", () => {
      const { id, over } = now.current ?? {};
      setCarried(undefined);
      if (id !== undefined && over !== undefined) drop.current(id, over);
    });
    on("pointercancel", () => setCarried(undefined));
    window.addEventListener("keydown", (event) => event.key === "Escape" && setCarried(undefined), listening);
    return () => listening.abort();
  }, [pointer]);
  return {
    carried,
    take(event: ReactPointerEvent, id: string) {
      if (event.button !== 0 || !event.isPrimary) return;
      const from = { x: event.clientX, y: event.clientY };
      setCarried({ id, pointer: event.pointerId, from, by: { x: 0, y: 0 }, over: undefined });
    },
  };
}
