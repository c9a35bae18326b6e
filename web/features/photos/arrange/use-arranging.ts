import { type KeyboardEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../../data/media.queries.ts";
import { tileId } from "../../../media/photo-text.ts";
import { useDrag } from "../../../ui/use-drag.ts";
import { keyTarget } from "../gallery/gallery-keys.ts";
import type { Box } from "../gallery/justified-layout.ts";
import { type Gap, gapAt, markOf } from "./arrangement.ts";

interface ArrangingOptions {
  enabled: boolean;
  element: RefObject<HTMLElement | null>;
  photos: readonly Photo[];
  boxes: readonly Box[];
  /** Ids of the selected photos, which are dragged together. */
  selected: ReadonlySet<string>;
  onPlace: (ids: ReadonlySet<string>, gap: number) => void;
}

const NOTHING: ReadonlySet<string> = new Set();

/** Handles moving photos within the gallery, by pointer or keyboard. */
export function useArranging({ enabled, element, photos, boxes, selected, onPlace }: ArrangingOptions) {
  const { t } = useTranslation("gallery");
  const [carried, setCarried] = useState(NOTHING);
  const [gap, setGap] = useState<Gap>();
  const [said, setSaid] = useState("");
  const rest = useMemo(() => photos.flatMap(({ id }, index) => (carried.has(id) ? [] : [index])), [photos, carried]);

  const pickUp = (id: string) => {
    const ids = selected.has(id) ? selected : new Set([id]);
    setCarried(ids);
    const index = photos.findIndex((photo) => photo.id === id);
    setGap({ index, atEnd: false });
    setSaid(t("arrange.pickedUp", { count: ids.size }));
  };
  const putDown = (place?: Gap) => {
    if (place) onPlace(carried, place.index);
    setSaid(place ? t("arrange.dropped", placeOf(place)) : t("arrange.cancelled"));
    setCarried(NOTHING);
    setGap(undefined);
  };
  /** Returns the target position of the dragged photos, from 1, and the number of all photos. */
  const placeOf = ({ index }: Gap) => ({
    place: rest.filter((other) => other < index).length + 1,
    count: photos.length,
  });
  const move = (to: Gap) => {
    setGap(to);
    setSaid(t("arrange.at", placeOf(to)));
  };

  // Restores the focus, which a tile loses when its DOM position changes.
  const moved = useRef<string>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the order is what moves tiles
  useLayoutEffect(() => {
    if (moved.current) document.getElementById(tileId(moved.current))?.focus();
    moved.current = undefined;
  }, [photos]);

  const drag = useDrag({
    enabled,
    element,
    onBegin: pickUp,
    onOver: (point) => setGap(gapAt(point, boxes)),
    onDrop: () => putDown(gap),
    onCancel: () => putDown(),
  });

  /** Handles the keys that move photos. Returns whether it handled the event. */
  const onKeyDown = (event: KeyboardEvent, id: string): boolean => {
    if (!enabled) return false;
    const chosen = event.key === " " || event.key === "Enter";
    if (!gap) {
      if (chosen) pickUp(id);
      return chosen;
    }
    if (chosen) {
      moved.current = id;
      putDown(gap);
    } else if (event.key === "Escape") putDown();
    else if (event.key === "Tab") {
      putDown();
      return false;
    } else {
      const place = rest.filter((other) => other < gap.index).length;
      const sideways = { ArrowLeft: place - 1, ArrowRight: place + 1 }[event.key];
      if (sideways !== undefined) move({ index: rest[Math.max(0, sideways)] ?? photos.length, atEnd: false });
      else {
        const target = keyTarget(event.key, Math.min(gap.index, photos.length - 1), boxes, window.innerHeight);
        if (target === undefined) return false;
        move({ index: event.key === "End" ? photos.length : target, atEnd: false });
      }
    }
    return true;
  };

  return {
    carried,
    /** The box of the mark at the target gap. */
    mark: gap && markOf(gap, boxes),
    said,
    drag,
    onKeyDown,
  };
}
