import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Crop, frameOf, type PhotoEdit } from "../../../../shared/photo-edit.ts";
import { classNames } from "../../../ui/class-names.ts";
import { CORNERS, type Corner, moved, resized } from "./crop.ts";

interface CropStageProps {
  /** The URL of the picture as its file is. */
  src: string;
  /** The size of the upright file. */
  file: { width: number; height: number };
  edit: PhotoEdit;
  /** The shape that the crop keeps, in fractions of the frame; undefined if it is free. */
  ratio: number | undefined;
  onCrop: (crop: Crop) => void;
  onFailed: () => void;
}

/** The step of an arrow key, without and with Shift, in fractions of the frame. */
const STEP = 0.01;
const FAR = 0.1;
const ARROWS: Record<string, readonly [x: number, y: number] | undefined> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const NAMES = ["topLeft", "topRight", "bottomLeft", "bottomRight"] as const;

/** Renders the turned and straightened picture, and over it the crop, which is moved and resized. */
export function CropStage({ src, file, edit, ratio, onCrop, onFailed }: CropStageProps) {
  const { t } = useTranslation("cropping");
  const stage = useRef<HTMLDivElement>(null);
  const drag = useRef<{ x: number; y: number; crop: Crop }>(undefined);
  const [isLoaded, setLoaded] = useState(false);
  const frame = frameOf(file, edit);
  const [left, top, width, height] = edit.crop;
  const percent = (part: number) => `${part * 100}%`;

  /** The handlers of what changes the crop: it gets the crop before, and a movement in fractions of the frame. */
  const handlers = (change: (crop: Crop, x: number, y: number) => Crop) => ({
    onPointerDown({ currentTarget, pointerId, clientX: x, clientY: y }: PointerEvent) {
      currentTarget.setPointerCapture(pointerId);
      drag.current = { x, y, crop: edit.crop };
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const box = stage.current?.getBoundingClientRect();
      if (!drag.current || !box) return;
      const { x, y, crop } = drag.current;
      onCrop(change(crop, (clientX - x) / box.width, (clientY - y) / box.height));
    },
    onPointerUp() {
      drag.current = undefined;
    },
    onPointerCancel() {
      drag.current = undefined;
    },
    onKeyDown(event: KeyboardEvent) {
      const arrow = ARROWS[event.key];
      if (!arrow) return;
      event.preventDefault();
      const step = event.shiftKey ? FAR : STEP;
      onCrop(change(edit.crop, arrow[0] * step, arrow[1] * step));
    },
  });

  return (
    <div
      ref={stage}
      className="relative mx-auto touch-none select-none"
      style={{
        width: `min(100%, calc(45dvh * ${frame.width / frame.height}))`,
        aspectRatio: frame.width / frame.height,
      }}
    >
      <div
        className={classNames("absolute inset-0 overflow-hidden rounded-sm bg-line", !isLoaded && "animate-breathe")}
      >
        <img
          src={src}
          alt={t("picture")}
          draggable={false}
          onLoad={() => setLoaded(true)}
          onError={onFailed}
          className="pointer-events-none absolute top-1/2 left-1/2 max-w-none"
          style={{
            width: percent(file.width / frame.width),
            height: percent(file.height / frame.height),
            transform: `translate(-50%, -50%) rotate(${edit.turn + edit.straighten}deg)`,
          }}
        />
        <div
          className="absolute shadow-[0_0_0_9999px_rgb(7_11_18/0.6)] outline-2 outline-white"
          style={{ left: percent(left), top: percent(top), width: percent(width), height: percent(height) }}
        />
      </div>
      <button
        type="button"
        aria-label={t("area")}
        className="absolute min-h-11 min-w-11 cursor-move"
        style={{ left: percent(left), top: percent(top), width: percent(width), height: percent(height) }}
        {...handlers(moved)}
      />
      {CORNERS.map((corner, place) => (
        <Handle
          key={NAMES[place]}
          label={t(NAMES[place] ?? "topLeft")}
          corner={corner}
          left={percent(corner[0] < 0 ? left : left + width)}
          top={percent(corner[1] < 0 ? top : top + height)}
          {...handlers((crop, x, y) => resized(crop, corner, x, y, ratio))}
        />
      ))}
    </div>
  );
}

interface HandleProps extends React.ButtonHTMLAttributes<HTMLButtonElement> {
  label: string;
  corner: Corner;
  left: string;
  top: string;
}

/** Renders a corner of the crop. */
function Handle({ label, corner: [x, y], left, top, ...handlers }: HandleProps) {
  return (
    <button
      type="button"
      aria-label={label}
      className={classNames(
        "absolute grid size-11 -translate-1/2 place-content-center rounded-full",
        x === y ? "cursor-nwse-resize" : "cursor-nesw-resize",
      )}
      style={{ left, top }}
      {...handlers}
    >
      <span aria-hidden className="size-5 rounded-full border-3 border-white bg-deep shadow-soft" />
    </button>
  );
}
