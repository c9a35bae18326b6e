import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { CoverPhoto } from "../../../data/memories.queries.ts";
import { renditionSrcSet, renditionUrl } from "../../../lib/request/rendition-url.ts";
import type { MediaUrls } from "../../../media/media-url-cache.ts";
import { Picture } from "../../../media/Picture.tsx";

/** As shares of a picture's width and height, from its top left. */
export interface Point {
  x: number;
  y: number;
}

/** Shares of the picture that an arrow key moves the point by, alone and with Shift. */
const STEP = 0.02;
const LARGE_STEP = 0.1;
const ARROWS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** A point inside the picture, in thousandths. */
export const inside = ({ x, y }: Point): Point => ({ x: share(x), y: share(y) });
const share = (number: number) => Math.round(Math.min(1, Math.max(0, number)) * 1000) / 1000;

interface FocalPointProps {
  cover: CoverPhoto;
  urls: MediaUrls;
  point: Point;
  onPoint: (point: Point) => void;
}

/** The whole cover with the point on it that is to be seen at every width, moved by pointer or by arrow keys. */
export function FocalPoint({ cover, urls: { picture, placeholder }, point, onPoint }: FocalPointProps) {
  const { t } = useTranslation("gallery");
  const stage = useRef<HTMLDivElement>(null);

  const take = (event: PointerEvent) => {
    const box = stage.current?.getBoundingClientRect();
    if (!box || event.buttons === 0) return;
    onPoint(inside({ x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const way = ARROWS[event.key];
    if (!way) return;
    event.preventDefault();
    const step = event.shiftKey ? LARGE_STEP : STEP;
    onPoint(inside({ x: point.x + way.x * step, y: point.y + way.y * step }));
  };
  const percent = { x: Math.round(point.x * 100), y: Math.round(point.y * 100) };

  return (
    <div className="grid justify-items-center">
      <div
        ref={stage}
        className="relative max-h-[45dvh] max-w-full cursor-crosshair touch-none overflow-hidden rounded-2xl"
        style={{
          aspectRatio: `${cover.width ?? 4} / ${cover.height ?? 3}`,
          width: `min(100%, ${45 * ((cover.width ?? 4) / (cover.height ?? 3))}dvh)`,
        }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          take(event);
        }}
        onPointerMove={take}
      >
        <Picture
          photo={{ colour: cover.colour, placeholder: cover.placeholder ?? placeholder }}
          src={picture && renditionUrl(picture, 960)}
          srcSet={picture && renditionSrcSet(picture, cover.width)}
          sizes="540px"
          alt=""
          eager
          className="size-full"
        />
        <div
          role="slider"
          tabIndex={0}
          aria-label={t("cover.point")}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent.x}
          aria-valuetext={t("cover.pointAt", percent)}
          onKeyDown={onKeyDown}
          className="absolute size-11 -translate-x-1/2 -translate-y-1/2 rounded-full border-3 border-white bg-teal/40 shadow-lifted ring-2 ring-night/70 outline-offset-4 before:absolute before:inset-[1.05rem] before:rounded-full before:bg-white before:content-['']"
          style={{ left: `${point.x * 100}%`, top: `${point.y * 100}%` }}
        />
      </div>
    </div>
  );
}
