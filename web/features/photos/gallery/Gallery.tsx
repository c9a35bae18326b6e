import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type Ref,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import type { Hearts } from "../../../actions/hearts.ts";
import type { Photo } from "../../../data/media.queries.ts";
import { keyOf } from "../../../data/photo.ts";
import type { PhotoOrder } from "../../../data/photo-order.ts";
import { renditionUrl } from "../../../lib/request/rendition-url.ts";
import { Picture } from "../../../media/Picture.tsx";
import { tileId } from "../../../media/photo-text.ts";
import { useKnownMediaUrls, useRequestedMedia } from "../../../media/use-media-urls.ts";
import { useNearRange } from "../../../ui/use-near-range.ts";
import { useArranging } from "../arrange/use-arranging.ts";
import type { Selection } from "../selection/use-selection.ts";
import { GalleryGroup, tileKey } from "./GalleryGroup.tsx";
import { keyTarget } from "./gallery-keys.ts";
import { galleryLayout, isBetween } from "./gallery-layout.ts";
import type { TileUse } from "./PhotoTile.tsx";

/** The photo that is in the tab order. With `focus`, the photo receives the focus. */
export interface CurrentPhoto {
  id: string;
  focus: boolean;
}

interface GalleryProps {
  /** Photos in display order. */
  photos: Photo[];
  order: PhotoOrder;
  use: TileUse;
  /** Undefined if nothing can be selected. */
  selection: Selection | undefined;
  current: CurrentPhoto | undefined;
  onCurrent: (current: CurrentPhoto) => void;
  hearts: Hearts;
  /** Called to move photos before the photo at index `gap`. */
  onPlace: (ids: ReadonlySet<string>, gap: number) => void;
  /** Called with the photos near the viewport. */
  onNear: (photos: readonly Photo[]) => void;
  /** Called if a photo could not be loaded from its URL. */
  onFailed: () => void;
}

const NOTHING: ReadonlySet<string> = new Set();
const photoOf = (target: EventTarget) =>
  target instanceof Element ? target.closest<HTMLElement>("[data-photo]")?.dataset.photo : undefined;
const isWithin = (target: EventTarget, selector: string) =>
  target instanceof Element && target.closest(selector) !== null;
const isBox = (target: EventTarget) => isWithin(target, "[role=checkbox]");
const isHeart = (target: EventTarget) => isWithin(target, "[data-heart]");

/** Renders photos grouped by date in justified rows. Only photos near the viewport are rendered. */
export function Gallery(props: GalleryProps) {
  const { photos, order, use, selection, current, onCurrent, hearts, onPlace, onNear, onFailed } = props;
  const { t } = useTranslation("gallery");
  const { ref, width } = useElementWidth<HTMLDivElement>();
  const range = useNearRange(ref);
  const layout = useMemo(() => galleryLayout(photos, order, width), [photos, order, width]);
  const { groups, boxes, height } = layout;
  const near = useMemo(
    () => photos.filter((_photo, index) => boxes[index] && isBetween(boxes[index], range.from, range.to)),
    [photos, boxes, range],
  );
  useEffect(() => onNear(near), [onNear, near]);
  useRequestedMedia(useMemo(() => near.filter(({ outlined }) => !outlined), [near]));

  // An outlined photo gets its whole id when its row is loaded.
  const isCurrent = ({ id }: Photo) => id === current?.id;
  const isRowOfCurrent = ({ id }: Photo) => current !== undefined && keyOf(id) === keyOf(current.id);
  const currentId = (photos.find(isCurrent) ?? photos.find(isRowOfCurrent) ?? photos[0])?.id;
  useLayoutEffect(() => {
    if (current?.focus) document.getElementById(tileId(current.id))?.focus();
  }, [current]);

  const selected = selection?.ids ?? NOTHING;
  const arranging = useArranging({ enabled: use === "arrange", element: ref, photos, boxes, selected, onPlace });
  const { drag, mark } = arranging;
  const press = useLongPress(({ target }) => {
    const id = photoOf(target);
    if (id && selection && use !== "arrange") selection.toggle(id);
  });

  // While photos are moved by keyboard, scrolls to the target gap, as a focus change would.
  const markTop = drag.dragging ? undefined : mark?.top;
  useEffect(() => {
    const box = ref.current?.getBoundingClientRect();
    if (
      box &&
      markTop !== undefined &&
      !isBetween({ top: box.top + markTop, height: 1 }, 80, window.innerHeight - 200)
    ) {
      window.scrollBy({ top: box.top + markTop - window.innerHeight / 3 });
    }
  }, [ref, markTop]);

  const onClick = (event: MouseEvent) => {
    const id = photoOf(event.target);
    if (!id) return;
    if (drag.took() || press.took()) return event.preventDefault();
    onCurrent({ id, focus: false });
    if (isHeart(event.target)) return hearts.toggle?.(id);
    const ranged = event.shiftKey && selected.size > 0;
    if (selection && (isBox(event.target) || use !== "open" || ranged)) {
      event.preventDefault();
      selection.toggle(id, event.shiftKey);
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const id = photoOf(event.target);
    if (!id || event.altKey || event.metaKey) return;
    const onButton = isBox(event.target) || isHeart(event.target);
    if (!onButton && !event.ctrlKey && arranging.onKeyDown(event, id)) return event.preventDefault();
    if (selection && event.ctrlKey && event.key === "a" && use !== "open")
      selection.set(photos.map((photo) => photo.id));
    else if (event.ctrlKey) return;
    else if (selection && event.key === " " && !onButton) selection.toggle(id, event.shiftKey);
    else {
      const index = photos.findIndex((photo) => photo.id === id);
      const target = keyTarget(event.key, index, boxes, window.innerHeight * 0.8);
      const to = target === undefined ? undefined : photos[target];
      if (!to) return;
      onCurrent({ id: to.id, focus: true });
    }
    event.preventDefault();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears for its tiles, which are links and boxes themselves
    <div
      ref={ref}
      data-gallery
      // In print, the rendered photos are in normal flow instead of absolute positions.
      className="relative print:h-auto!"
      style={{ height }}
      onClickCapture={onClick}
      onKeyDown={onKeyDown}
      {...press.handlers}
      onPointerDown={(event) => {
        const id = photoOf(event.target);
        if (id && !isBox(event.target) && !isHeart(event.target)) drag.onPointerDown(event, id);
        press.handlers.onPointerDown(event);
      }}
    >
      {groups
        .filter(
          (group) => isBetween(group, range.from, range.to) || group.photos.some((photo) => photo.id === currentId),
        )
        .map((group) => (
          <GalleryGroup
            key={`${group.date} ${group.photos[0] && tileKey(group.photos[0])}`}
            group={group}
            layout={layout}
            range={range}
            use={use}
            selected={selection?.ids}
            carried={arranging.carried}
            currentId={currentId}
            hearts={hearts}
            onFailed={onFailed}
          />
        ))}
      {mark && <span aria-hidden className="absolute rounded-full bg-deep" style={mark} />}
      {drag.dragging && <CarriedPhotos ref={drag.ghost} photos={photos} ids={arranging.carried} />}
      {use === "arrange" && (
        <p role="status" className="sr-only">
          {arranging.said || t("arrange.how")}
        </p>
      )}
    </div>
  );
}

/** Returns a ref and the width of its element in whole CSS pixels, which is known before the first paint. */
function useElementWidth<T extends HTMLElement>() {
  const ref = useRef<T>(null);
  const [width, setWidth] = useState(widthOfPage);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    setWidth(Math.floor(element.getBoundingClientRect().width));
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

/**
 * Returns the width of the page's content in whole CSS pixels, or 0 without content. A gallery without comments beside
 * it has the same width, so its tiles are rendered once, interruptibly, and not a second time before the first paint.
 */
function widthOfPage(): number {
  const part = document.querySelector("main .page-width");
  if (!part) return 0;
  const { paddingLeft, paddingRight } = getComputedStyle(part);
  return Math.floor(part.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight));
}

interface CarriedPhotosProps {
  ref: Ref<HTMLDivElement>;
  photos: readonly Photo[];
  ids: ReadonlySet<string>;
}

/** Renders the dragged photos under the pointer: the first photo and their number. */
function CarriedPhotos({ ref, photos, ids }: CarriedPhotosProps) {
  const first = photos.find(({ id }) => ids.has(id));
  const { picture, placeholder } = useKnownMediaUrls(first);
  if (!first) return null;
  return (
    <div ref={ref} aria-hidden className="pointer-events-none fixed top-0 left-0 z-50">
      <div className="relative size-28 -translate-x-1/2 -translate-y-1/2 rotate-2">
        <Picture
          photo={{ colour: first.colour, placeholder }}
          src={picture && renditionUrl(picture, 320)}
          sizes="112px"
          alt=""
          eager
          className="size-full rounded-lg shadow-lifted ring-2 ring-white"
        />
        {ids.size > 1 && (
          <span className="absolute -top-3 -right-3 grid min-w-9 place-content-center rounded-full bg-teal px-2 py-1 font-semibold text-night tabular-nums">
            {ids.size}
          </span>
        )}
      </div>
    </div>
  );
}

const HOLD_MS = 450;
const STILL_PX = 10;

/** Detects a long press by touch. `took` returns whether the following click was caused by the long press. */
function useLongPress(onHold: (event: PointerEvent) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const start = useRef({ x: 0, y: 0 });
  const isLongPress = useRef(false);
  const end = () => clearTimeout(timer.current);
  return {
    took: () => {
      const was = isLongPress.current;
      isLongPress.current = false;
      return was;
    },
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        isLongPress.current = false;
        end();
        if (event.pointerType === "mouse") return;
        start.current = { x: event.clientX, y: event.clientY };
        timer.current = setTimeout(() => {
          isLongPress.current = true;
          onHold(event);
        }, HOLD_MS);
      },
      onPointerMove: ({ clientX, clientY }: PointerEvent) => {
        if (Math.hypot(clientX - start.current.x, clientY - start.current.y) > STILL_PX) end();
      },
      onPointerUp: end,
      // The browser cancels the pointer when a scroll begins.
      onPointerCancel: end,
      // Suppresses the browser's context menu of a long press, which would cover the selection.
      onContextMenu: (event: { preventDefault: () => void }) => isLongPress.current && event.preventDefault(),
    },
  };
}
