import { type PointerEvent as ReactPointerEvent, useCallback, useEffect, useRef, useState } from "react";

const DOUBLE_TAP_MS = 300;
const ENLARGED = 2.5;

interface ZoomOptions {
  photo: Size;
  onSwipe: (meaning: "previous" | "next" | "close") => void;
}

interface Gesture {
  pointers: Map<number, { x: number; y: number }>;
  startedAt: number;
  startX: number;
  startY: number;
  lastTap: number;
  moved: boolean;
  /** Whether the gesture was a pinch; its remaining finger must not swipe. */
  pinched: boolean;
}

/** Handles pinch, wheel, double tap and drag on a photo's stage. Dragging a photo that is not zoomed swipes. */
export function useZoom({ photo, onSwipe }: ZoomOptions) {
  const stage = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>(WHOLE);
  const [drag, setDrag] = useState({ x: 0, y: 0 });
  const gesture = useRef<Gesture>({
    pointers: new Map(),
    startedAt: 0,
    startX: 0,
    startY: 0,
    lastTap: 0,
    moved: false,
    pinched: false,
  });
  const { width, height } = photo;

  const change = useCallback(
    (next: (view: View) => View) => {
      const box = stage.current?.getBoundingClientRect();
      if (box) setView((before) => within(next(before), { width, height }, box));
    },
    [width, height],
  );

  const fromMiddle = (x: number, y: number) => {
    const box = stage.current?.getBoundingClientRect();
    return box ? { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 } : { x: 0, y: 0 };
  };

  const toggle = useCallback(
    (point = { x: 0, y: 0 }) => change((before) => (before.scale > 1 ? WHOLE : zoomedAt(before, ENLARGED, point))),
    [change],
  );

  /** Zooms around the centre by a factor; 0 shows the whole photo. */
  const zoom = useCallback(
    (factor: number) => change((before) => (factor === 0 ? WHOLE : zoomedAt(before, factor, { x: 0, y: 0 }))),
    [change],
  );

  // React's wheel listeners are passive and cannot prevent the page below from scrolling or zooming.
  useEffect(() => {
    const element = stage.current;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      change((before) => zoomedAt(before, Math.exp(-event.deltaY / 300), fromMiddle(event.clientX, event.clientY)));
    };
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  });

  const onPointerDown = (event: ReactPointerEvent) => {
    const { pointers } = gesture.current;
    event.currentTarget.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (pointers.size === 1) {
      Object.assign(gesture.current, {
        startedAt: event.timeStamp,
        startX: event.clientX,
        startY: event.clientY,
        moved: false,
        pinched: false,
      });
    } else {
      gesture.current.moved = true;
      gesture.current.pinched = true;
      setDrag({ x: 0, y: 0 });
    }
  };

  const onPointerMove = (event: ReactPointerEvent) => {
    const { pointers, startX, startY } = gesture.current;
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    if (Math.hypot(now.x - startX, now.y - startY) > 8) gesture.current.moved = true;
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    pointers.set(event.pointerId, now);
    if (other) {
      const factor = distance(now, other) / Math.max(1, distance(before, other));
      const middle = fromMiddle((now.x + other.x) / 2, (now.y + other.y) / 2);
      change((current) => {
        const zoomed = zoomedAt(current, factor, middle);
        return { ...zoomed, x: zoomed.x + (now.x - before.x) / 2, y: zoomed.y + (now.y - before.y) / 2 };
      });
    } else if (view.scale > 1) {
      change((current) => ({ ...current, x: current.x + now.x - before.x, y: current.y + now.y - before.y }));
    } else if (!gesture.current.pinched) {
      setDrag({ x: now.x - startX, y: Math.max(0, now.y - startY) });
    }
  };

  const onPointerUp = (event: ReactPointerEvent) => {
    const { pointers, startX, startY, startedAt, lastTap, moved, pinched } = gesture.current;
    if (!pointers.delete(event.pointerId) || pointers.size > 0) return;
    const [dx, dy] = [event.clientX - startX, event.clientY - startY];
    setDrag({ x: 0, y: 0 });
    if (!moved) {
      const isDouble = event.timeStamp - lastTap < DOUBLE_TAP_MS;
      gesture.current.lastTap = isDouble ? 0 : event.timeStamp;
      if (isDouble) toggle(fromMiddle(event.clientX, event.clientY));
    } else if (view.scale === 1 && !pinched && event.type !== "pointercancel") {
      const meaning = swipeMeaning(dx, dy, dx / Math.max(1, event.timeStamp - startedAt));
      if (meaning !== "stay") onSwipe(meaning);
    }
  };

  return {
    stage,
    view,
    toggle,
    zoom,
    /** The photo's position and size as a CSS transform. */
    transform: `translate(${view.x + drag.x}px, ${view.y + drag.y}px) scale(${view.scale})`,
    moving: gesture.current.pointers.size > 0,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp },
  };
}

const distance = (a: { x: number; y: number }, b: { x: number; y: number }) => Math.hypot(a.x - b.x, a.y - b.y);

/** A photo's transform: scaled about its centre, then moved by `x` and `y` CSS pixels. */
interface View {
  scale: number;
  x: number;
  y: number;
}

interface Size {
  width: number;
  height: number;
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };
const LARGEST = 6;

/** Returns the largest size of a photo that fits into the stage. */
export function fitted(photo: Size, stage: Size): Size {
  const scale = Math.min(stage.width / photo.width, stage.height / photo.height);
  return { width: photo.width * scale, height: photo.height * scale };
}

/** Returns the nearest view in which the photo leaves no edge empty that it could fill. */
export function within({ scale, x, y }: View, photo: Size, stage: Size): View {
  const inside = Math.min(LARGEST, Math.max(1, scale));
  const fittedSize = fitted(photo, stage);
  const limit = (length: number, room: number) => Math.max(0, (length * inside - room) / 2);
  const [maxX, maxY] = [limit(fittedSize.width, stage.width), limit(fittedSize.height, stage.height)];
  return { scale: inside, x: clamp(x, maxX), y: clamp(y, maxY) };
}

/** Returns the view zoomed by `factor` around `point`, which is relative to the stage's centre. */
export function zoomedAt(view: View, factor: number, point: { x: number; y: number }): View {
  const scale = Math.min(LARGEST, Math.max(1, view.scale * factor));
  const by = scale / view.scale;
  return { scale, x: point.x - (point.x - view.x) * by, y: point.y - (point.y - view.y) * by };
}

/** Returns the action of a swipe at its end. Distances are in CSS pixels, the speed in CSS pixels per millisecond. */
export function swipeMeaning(dx: number, dy: number, speedX: number): "previous" | "next" | "close" | "stay" {
  if (Math.abs(dx) > Math.abs(dy)) {
    if (Math.abs(dx) < 60 && !(Math.abs(dx) > 20 && Math.abs(speedX) > 0.4)) return "stay";
    return dx > 0 ? "previous" : "next";
  }
  return dy > 120 ? "close" : "stay";
}

const clamp = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value));
