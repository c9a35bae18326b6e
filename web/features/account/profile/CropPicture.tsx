import { type KeyboardEvent, type PointerEvent, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/Button.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";

/** The side of the stored square in pixels. */
const SIDE = 512;
const QUALITY = 0.9;
const MOST_ZOOM = 4;
/** The step of an arrow key, as a fraction of the square's side. */
const STEP = 0.05;

/** The crop: its centre as fractions of the picture's size (0 to 1), and its zoom factor. */
interface Frame {
  x: number;
  y: number;
  zoom: number;
}

interface CropPictureProps {
  file: File;
  busy: boolean;
  /** Receives the square as an upright JPEG. It is redrawn on a canvas, so it contains no metadata of the file. */
  onCropped: (square: Blob) => void;
  /** Called if cropping fails, e.g. because a phone has too little memory. */
  onFailed: () => void;
}

/** Crops a picture to a square. The picture can be moved by touch, mouse or arrow keys, and zoomed. */
export function CropPicture({ file, busy, onCropped, onFailed }: CropPictureProps) {
  const { t } = useTranslation("profile");
  const picture = useDecoded(file);
  const [frame, setFrame] = useState<Frame>({ x: 0.5, y: 0.5, zoom: 1 });
  if (picture === "unreadable") {
    return (
      <p role="alert" className="text-danger-text">
        {t("picture.unreadable")}
      </p>
    );
  }
  if (!picture) return <Skeleton className="mx-auto aspect-square w-full max-w-80" />;

  const square = squareIn(picture, frame);
  const [width, height] = [picture.naturalWidth / square.side, picture.naturalHeight / square.side];
  /** Moves the picture by fractions of the square's side. */
  const move = (right: number, down: number) =>
    setFrame(({ zoom }) => ({ zoom, x: square.x - right / width, y: square.y - down / height }));
  const onKeyDown = (event: KeyboardEvent) => {
    const [right, down] = ARROWS[event.key] ?? [0, 0];
    if (right === 0 && down === 0) return;
    event.preventDefault();
    move(right * STEP, down * STEP);
  };
  const onPointerMove = ({ currentTarget, pointerId, movementX, movementY }: PointerEvent<HTMLElement>) => {
    if (!currentTarget.hasPointerCapture(pointerId)) return;
    move(movementX / currentTarget.clientWidth, movementY / currentTarget.clientHeight);
  };
  return (
    <div className="grid gap-5">
      {/* biome-ignore lint/a11y/useSemanticElements: a group of one picture has no element of its own */}
      <div
        role="group"
        aria-label={t("picture.move")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the picture
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
        onPointerMove={onPointerMove}
        className="relative mx-auto aspect-square w-full max-w-80 cursor-move touch-none overflow-hidden rounded-full bg-sunken"
      >
        <img
          src={picture.src}
          alt=""
          draggable={false}
          className="pointer-events-none absolute max-w-none"
          style={{
            width: `${width * 100}%`,
            height: `${height * 100}%`,
            left: `${50 - square.x * width * 100}%`,
            top: `${50 - square.y * height * 100}%`,
          }}
        />
      </div>
      <label className="mx-auto grid w-full max-w-80 gap-1 font-semibold">
        {t("picture.zoom")}
        <input
          type="range"
          min={1}
          max={MOST_ZOOM}
          step={0.05}
          value={frame.zoom}
          onChange={({ target }) => setFrame({ ...frame, zoom: Number(target.value) })}
          className="min-h-11 accent-deep"
        />
      </label>
      <Button
        className="justify-self-end"
        aria-busy={busy}
        onClick={() => !busy && void cropped(picture, square).then(onCropped, onFailed)}
      >
        {t("picture.save")}
      </Button>
    </div>
  );
}

const ARROWS: Record<string, readonly [right: number, down: number] | undefined> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The decoded file; "unreadable" if this browser cannot decode it. */
function useDecoded(file: File): HTMLImageElement | "unreadable" | undefined {
  const [decoded, setDecoded] = useState<HTMLImageElement | "unreadable">();
  useEffect(() => {
    const image = new Image();
    image.src = URL.createObjectURL(file);
    image.decode().then(
      () => setDecoded(image),
      () => setDecoded("unreadable"),
    );
    return () => URL.revokeObjectURL(image.src);
  }, [file]);
  return decoded;
}

/** Returns the square of a crop, clamped to the picture: its side in pixels, its centre from 0 to 1. */
function squareIn({ naturalWidth: width, naturalHeight: height }: HTMLImageElement, { x, y, zoom }: Frame) {
  const side = Math.min(width, height) / zoom;
  const within = (middle: number, length: number) =>
    Math.min(1 - side / length / 2, Math.max(side / length / 2, middle));
  return { side, x: within(x, width), y: within(y, height) };
}

async function cropped(picture: HTMLImageElement, { side, x, y }: ReturnType<typeof squareIn>): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = SIDE;
  canvas.height = SIDE;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("No canvas");
  context.fillStyle = "white";
  context.fillRect(0, 0, SIDE, SIDE);
  context.imageSmoothingQuality = "high";
  const [cropLeft, top] = [x * picture.naturalWidth - side / 2, y * picture.naturalHeight - side / 2];
  context.drawImage(picture, cropLeft, top, side, side, 0, 0, SIDE, SIDE);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("No picture"))), "image/jpeg", QUALITY),
  );
}
