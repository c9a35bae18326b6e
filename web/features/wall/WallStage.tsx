import { useEffect, useState } from "react";
import { RENDITION_WIDTHS, type RenditionWidth, renditionUrl } from "../../lib/request/rendition-url.ts";
import { classNames } from "../../ui/class-names.ts";
import { type FoundItem, WallItem } from "./WallItem.tsx";
import { placed } from "./wall-schedule.ts";

type Find = (id: string) => FoundItem;

/** The rendition that fills this share of the window's longer side. */
function widthFor(share: number): RenditionWidth {
  const pixels = Math.max(window.innerWidth, window.innerHeight) * Math.min(2, window.devicePixelRatio) * share;
  return RENDITION_WIDTHS.find((width) => width >= pixels) ?? 2560;
}

/** Loads pictures before they are shown. Each image is forgotten with the list, so that no more than these are decoded. */
function usePreloaded(urls: readonly string[]) {
  const key = urls.join("\n");
  useEffect(() => {
    const images = key.split("\n").map((url) => Object.assign(new Image(), { decoding: "async" as const, src: url }));
    return () => {
      for (const image of images) if (!image.complete) image.src = "";
    };
  }, [key]);
}

interface OneItemProps {
  id: string | undefined;
  ahead: FoundItem[];
  find: Find;
  sound: boolean;
}

/** One item at a time. The one before stays below it until the next one, and above it until the picture has loaded. */
export function OneItem({ id, ahead, find, sound }: OneItemProps) {
  const [{ loaded, before }, setLoaded] = useState<{ loaded?: string | undefined; before?: string | undefined }>({});
  // Of two items in turn, the one before is there already, and does not load again.
  if (id !== undefined && id === before && id !== loaded) setLoaded({ loaded: before, before: loaded });
  const width = widthFor(1);
  usePreloaded(ahead.flatMap(({ urls }) => (urls?.picture ? renditionUrl(urls.picture, width) : [])));
  const layers = [...new Set([before, loaded, id])].filter((one) => one !== undefined);
  const onLoaded = (one: string) =>
    setLoaded((state) => (state.loaded === one ? state : { loaded: one, before: state.loaded }));
  return (
    <div className="relative min-h-0 overflow-hidden">
      {layers.map((one) => {
        const item = find(one);
        if (!item.picture && !item.comment) return null;
        const isLoaded = one === loaded || one === before;
        return (
          <div
            key={one}
            data-item={one}
            aria-hidden={one !== loaded}
            className={classNames(
              "absolute inset-0 bg-paper",
              isLoaded ? "animate-[fade-in_700ms_ease-out] motion-reduce:animate-none" : "opacity-0",
            )}
          >
            <WallItem item={item} width={width} large sound={sound && one === id} onLoaded={() => onLoaded(one)} />
          </div>
        );
      })}
    </div>
  );
}

/** Several items at once. One of them changes at a time. */
export function Mosaic({ ids, find, sound }: { ids: readonly string[]; find: Find; sound: boolean }) {
  const [places, setPlaces] = useState<readonly string[]>([]);
  const now = placed(places, ids);
  if (now.join() !== places.join()) setPlaces(now);
  const width = widthFor(0.5);
  const columns = ["", "grid-cols-1", "grid-cols-2", "grid-cols-2 portrait:grid-cols-1", "grid-cols-2"][now.length];
  return (
    <div
      className={classNames(
        "grid min-h-0 auto-rows-fr gap-2 p-2",
        columns ?? (now.length > 6 ? "grid-cols-4 portrait:grid-cols-2" : "grid-cols-3 portrait:grid-cols-2"),
      )}
    >
      {now.map((id, place) => (
        // The place is the key, so that a tile's picture is replaced and not moved.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div key={place} data-item={id} className="relative min-h-0 min-w-0 overflow-hidden rounded-2xl bg-sunken">
          <WallItem key={id} item={find(id)} width={width} sound={sound && place === 0} />
        </div>
      ))}
    </div>
  );
}
