import type { KeyboardEvent, MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { filePoint, shownPoint } from "../../../../shared/photo-edit.ts";
import type { Photo } from "../../../data/media.queries.ts";
import type { Point, WhoQuestion } from "../../../data/pictured.queries.ts";
import type { NameOnPhoto } from "../../../data/pictured.ts";
import { movedPoint, pointAt } from "./points.ts";

interface PointLayerProps {
  photo: Photo;
  names: readonly NameOnPhoto[];
  /** The question who is in the photo, which may have a point. */
  question: WhoQuestion | undefined;
  point: Point | undefined;
  /** Undefined if the reader may not name people on this photo. */
  onPoint: ((point: Point) => void) | undefined;
}

/** Renders the names on the open photo at their points. Pressing the photo sets the point for the next name. */
export function PointLayer({ photo, names, question, point, onPoint }: PointLayerProps) {
  const { t } = useTranslation("pictured");
  const ratio = (photo.width ?? 4) / (photo.height ?? 3);
  const { edit } = photo;
  // Points are stored as places in the file, so that every edit keeps them.
  const shown = ({ x, y }: { x: number | null; y: number | null } | Point) =>
    x !== null && y !== null ? shownPoint({ x, y }, edit) : undefined;
  const setPoint = onPoint && ((place: Point) => onPoint(filePoint(place, edit)));
  const next = point && shown(point);
  const questionPoint = question && shown(question);
  const onClick = (event: MouseEvent<HTMLButtonElement>) => {
    // Enter and the space bar press the middle of the button.
    setPoint?.(
      event.detail === 0
        ? (next ?? { x: 0.5, y: 0.5 })
        : pointAt(event.currentTarget.getBoundingClientRect(), event.clientX, event.clientY),
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const newPoint = movedPoint(next ?? { x: 0.5, y: 0.5 }, event.key, event.shiftKey);
    if (!newPoint) return;
    // The arrow keys would otherwise open another photo.
    event.preventDefault();
    event.stopPropagation();
    setPoint?.(newPoint);
  };
  return (
    <div className="pointer-events-none absolute inset-0 grid place-content-center [container-type:size]">
      <div className="relative" style={{ width: `min(100cqw, calc(100cqh * ${ratio}))`, aspectRatio: String(ratio) }}>
        {onPoint && (
          <button
            type="button"
            aria-label={t("pointLabel")}
            // A press sets a point, and does not zoom or swipe.
            onPointerDown={(event) => event.stopPropagation()}
            onClick={onClick}
            onKeyDown={onKeyDown}
            className="pointer-events-auto absolute inset-0 size-full cursor-crosshair touch-manipulation outline-offset-[-3px] outline-white"
          />
        )}
        {names.map((name) => {
          const place = shown(name);
          return place && <PointMark key={name.person.id} {...place} name={name.person.name} />;
        })}
        {questionPoint && <PointMark {...questionPoint} name="?" />}
        {next && <PointMark {...next} isNext />}
      </div>
    </div>
  );
}

function PointMark({ x, y, name, isNext }: Point & { name?: string; isNext?: boolean }) {
  return (
    <span
      aria-hidden
      data-point={name ?? "next"}
      className="absolute grid -translate-x-1/2 -translate-y-3 justify-items-center gap-1"
      style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
    >
      <span
        className={
          isNext
            ? "size-6 rounded-full border-3 border-teal bg-black/30 shadow-[0_0_0_2px_#000a]"
            : "size-6 rounded-full border-2 border-white bg-black/20 shadow-[0_0_0_1px_#000a]"
        }
      />
      {name && (
        <span dir="auto" className="max-w-40 truncate rounded-full bg-black/70 px-2 py-0.5 text-sm text-white">
          {name}
        </span>
      )}
    </span>
  );
}
