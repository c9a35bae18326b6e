import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Box, LEAST_BLUR } from "../../../../shared/photo-edit.ts";
import { classNames } from "../../../ui/class-names.ts";
import { between, stretched } from "./blur.ts";
import { moved } from "./crop.ts";

interface BlurStageProps {
  /** The URL of the picture as its file is. */
  src: string;
  /** The size of the upright file. */
  file: { width: number; height: number };
  parts: readonly Box[];
  /** How many of the first parts stay as they are. */
  fixed: number;
  /** Whether there may be another part. */
  mayAdd: boolean;
  onParts: (parts: Box[]) => void;
  onFailed: () => void;
}

/** The step of an arrow key, without and with Shift, in fractions of the picture. */
const STEP = 0.01;
const FAR = 0.1;
const ARROWS: Record<string, readonly [x: number, y: number] | undefined> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** A shorter drag is a slip, in fractions of the picture. */
const LEAST_DRAG = 0.01;

const percent = (part: number) => `${part * 100}%`;

/** Renders the whole picture with its blurred parts, which are drawn, moved and resized over it. */
export function BlurStage({ src, file, parts, fixed, mayAdd, onParts, onFailed }: BlurStageProps) {
  const { t } = useTranslation("blurring");
  const stage = useRef<HTMLDivElement>(null);
  const drag = useRef<{ x: number; y: number; change: (x: number, y: number) => void }>(undefined);
  const [drawn, setDrawn] = useState<Box>();
  const [isLoaded, setLoaded] = useState(false);

  const pointOf = ({ clientX, clientY }: PointerEvent) => {
    const box = stage.current?.getBoundingClientRect();
    return box ? { x: (clientX - box.left) / box.width, y: (clientY - box.top) / box.height } : { x: 0, y: 0 };
  };
  const begin = (event: PointerEvent, change: (x: number, y: number) => void) => {
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { ...pointOf(event), change };
  };
  const dragging = {
    onPointerMove(event: PointerEvent) {
      if (!drag.current) return;
      const { x, y } = pointOf(event);
      drag.current.change(x - drag.current.x, y - drag.current.y);
    },
    onPointerUp() {
      drag.current = undefined;
      if (drawn && Math.max(drawn[2], drawn[3]) > LEAST_DRAG) onParts([...parts, drawn]);
      setDrawn(undefined);
    },
    onPointerCancel() {
      drag.current = undefined;
      setDrawn(undefined);
    },
  };
  const draw = (event: PointerEvent) => {
    if (!mayAdd) return;
    const start = pointOf(event);
    begin(event, (x, y) => setDrawn(between(start, { x: start.x + x, y: start.y + y })));
  };

  const put = (place: number, part: Box) => onParts(parts.with(place, part));
  const remove = (place: number) => onParts(parts.filter((_, other) => other !== place));
  /** The handlers of what changes a part by a movement in fractions of the picture. */
  const changing = (place: number, part: Box, change: (part: Box, x: number, y: number) => Box) => ({
    ...dragging,
    onPointerDown: (event: PointerEvent) => begin(event, (x, y) => put(place, change(part, x, y))),
    onKeyDown(event: KeyboardEvent) {
      if (event.key === "Delete" || event.key === "Backspace") {
        event.preventDefault();
        return remove(place);
      }
      const arrow = ARROWS[event.key];
      if (!arrow) return;
      event.preventDefault();
      const step = event.shiftKey ? FAR : STEP;
      put(place, change(part, arrow[0] * step, arrow[1] * step));
    },
  });

  return (
    <div
      ref={stage}
      className={classNames(
        "relative mx-auto touch-none overflow-hidden rounded-sm bg-line select-none",
        mayAdd && "cursor-crosshair",
        !isLoaded && "animate-breathe",
      )}
      style={{
        width: `min(100%, calc(45dvh * ${file.width / file.height}))`,
        aspectRatio: file.width / file.height,
      }}
      onPointerDown={draw}
      {...dragging}
    >
      <img
        src={src}
        alt={t("picture")}
        draggable={false}
        onLoad={() => setLoaded(true)}
        onError={onFailed}
        className="pointer-events-none absolute inset-0 size-full max-w-none object-fill"
      />
      {[...parts, ...(drawn ? [drawn] : [])].map((part, place) => {
        const [left, top, width, height] = part;
        const isFixed = place < fixed || place >= parts.length;
        const position = { left: percent(left), top: percent(top), width: percent(width), height: percent(height) };
        const number = place + 1;
        return isFixed ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity, and stay in their order
          <div key={place} className={classNames(PART, "pointer-events-none")} style={position} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity, and stay in their order
          <div key={place} className="absolute" style={position}>
            <button
              type="button"
              aria-label={t("part", { number })}
              className={classNames(PART, "inset-0 cursor-move")}
              {...changing(place, part, (from, x, y) => moved(from, x, y, LEAST_BLUR))}
            />
            <button
              type="button"
              aria-label={t("corner", { number })}
              className="absolute top-full left-full grid size-11 -translate-1/2 cursor-nwse-resize place-content-center rounded-full"
              {...changing(place, part, stretched)}
            >
              <span aria-hidden className="size-4 rounded-full border-2 border-white bg-deep shadow-soft" />
            </button>
          </div>
        );
      })}
    </div>
  );
}

/** What is blurred, about as others see it. */
const PART = "absolute rounded-sm bg-white/10 outline-2 -outline-offset-1 outline-white backdrop-blur-lg";
