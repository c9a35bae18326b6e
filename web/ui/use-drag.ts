import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useLatest } from "../lib/browser/use-latest.ts";

/** A mouse drag begins after this distance, a touch drag after this time. A finger that moves earlier scrolls. */
const MOVED_PX = 6;
const HOLD_MS = 250;
/** Within EDGE_PX of the window's edges the page scrolls by up to FASTEST_PX a frame, in CSS pixels. */
const EDGE_PX = 96;
const FASTEST_PX = 22;

interface HeldPointer {
  onMove: (point: { x: number; y: number }) => void;
  onUp: () => void;
  onCancel: () => void;
}

/** Follows a pointer on the window, because an element that moves in the DOM loses pointer capture. */
export function useHeldPointer(pointer: number | undefined, options: HeldPointer) {
  const latest = useLatest(options);
  useEffect(() => {
    if (pointer === undefined) return;
    const listening = new AbortController();
    const on = (type: "pointermove" | "pointerup" | "pointercancel", heard: (event: PointerEvent) => void) =>
      window.addEventListener(type, (event) => event.pointerId === pointer && heard(event), listening);
    on("pointermove", ({ clientX: x, clientY: y }) => latest.current.onMove({ x, y }));
    on("pointerup", () => latest.current.onUp());
    on("pointercancel", () => latest.current.onCancel());
    return () => listening.abort();
  }, [pointer]);
}

interface DragOptions {
  enabled: boolean;
  element: RefObject<HTMLElement | null>;
  onBegin: (id: string) => void;
  /** `point` is relative to the element, in CSS pixels. */
  onOver: (point: { x: number; y: number }) => void;
  onDrop: () => void;
  onCancel: () => void;
}

/** CSS pixels to scroll in a frame while dragging at height `y` of the window; negative is up. */
export function edgeScroll(y: number, windowHeight: number): number {
  const into = Math.max(EDGE_PX - y, 0) - Math.max(y - (windowHeight - EDGE_PX), 0);
  return -Math.round((Math.max(-1, Math.min(1, into / EDGE_PX)) || 0) * FASTEST_PX) || 0;
}

/** Drags a tile by mouse, pen or finger over the gallery, scrolling at the window's edges. */
export function useDrag(options: DragOptions) {
  const { enabled, element } = options;
  const latest = useLatest(options);
  const [dragging, setDragging] = useState(false);
  const ghost = useRef<HTMLDivElement>(null);
  const took = useRef(false);
  const stop = useRef(() => {});
  useEffect(() => () => stop.current(), []);

  // Prevents scrolling during a touch drag. It only works if the listener was added before the touch began.
  const isHeld = useRef(false);
  useEffect(() => {
    const gallery = element.current;
    if (!enabled || !gallery) return;
    const still = (event: TouchEvent) => isHeld.current && event.cancelable && event.preventDefault();
    gallery.addEventListener("touchmove", still, { passive: false });
    return () => gallery.removeEventListener("touchmove", still);
  }, [enabled, element]);

  const onPointerDown = (down: ReactPointerEvent, id: string) => {
    took.current = false;
    if (!enabled || down.button !== 0 || !down.isPrimary) return;
    stop.current();
    const { pointerId, pointerType, clientX, clientY } = down;
    let at = { x: clientX, y: clientY };
    let frame = 0;

    const over = () => {
      const box = element.current?.getBoundingClientRect();
      if (ghost.current) ghost.current.style.translate = `${at.x}px ${at.y}px`;
      if (box) latest.current.onOver({ x: at.x - box.left, y: at.y - box.top });
    };
    const follow = () => {
      const by = edgeScroll(at.y, window.innerHeight);
      if (by !== 0) {
        window.scrollBy({ top: by, behavior: "instant" });
        over();
      }
      frame = requestAnimationFrame(follow);
    };
    const begin = () => {
      isHeld.current = true;
      took.current = true;
      setDragging(true);
      latest.current.onBegin(id);
      over();
      frame = requestAnimationFrame(follow);
    };
    const rest = pointerType === "mouse" ? undefined : setTimeout(begin, HOLD_MS);
    const move = (event: PointerEvent) => {
      if (event.pointerId !== pointerId) return;
      const far = Math.hypot(event.clientX - clientX, event.clientY - clientY) > MOVED_PX;
      at = { x: event.clientX, y: event.clientY };
      if (isHeld.current) over();
      else if (far && pointerType === "mouse") begin();
      else if (far) stop.current();
    };
    const up = (event: PointerEvent) => {
      if (event.pointerId !== pointerId) return;
      const carried = isHeld.current;
      stop.current();
      if (carried) latest.current.onDrop();
    };
    const cancel = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key !== "Escape") return;
      const carried = isHeld.current;
      stop.current();
      if (carried) latest.current.onCancel();
    };
    const listeners = [
      ["pointermove", move],
      ["pointerup", up],
      ["pointercancel", cancel],
      ["keydown", cancel],
      ["blur", cancel],
    ] as [string, (event: Event) => void][];
    for (const [type, listener] of listeners) window.addEventListener(type, listener);
    stop.current = () => {
      stop.current = () => {};
      clearTimeout(rest);
      cancelAnimationFrame(frame);
      isHeld.current = false;
      setDragging(false);
      for (const [type, listener] of listeners) window.removeEventListener(type, listener);
    };
  };

  return {
    dragging,
    ghost,
    onPointerDown,
    /** Whether the next click ends a drag, and so must be ignored. */
    took: () => took.current,
  };
}
