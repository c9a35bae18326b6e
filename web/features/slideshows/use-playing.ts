import { useEffect, useRef, useState } from "react";
import type { Photo } from "../../data/media.queries.ts";
import { useScreen } from "../../lib/browser/use-screen.ts";

interface PlayingOptions {
  photos: readonly Photo[];
  /** Seconds for which a photo is shown. */
  pace: number;
}

/** The photo at its id, or the one that followed if it is not shown any more. */
export const placeOf = (photos: readonly Pick<Photo, "id">[], { id, at }: { id: string | undefined; at: number }) => {
  const index = photos.findIndex((photo) => photo.id === id);
  return index >= 0 ? index : at % Math.max(1, photos.length);
};

/** Shows each photo for some seconds after it has loaded, again from the beginning after the last, and keeps the screen on. */
export function usePlaying({ photos, pace }: PlayingOptions) {
  const [playing, setPlaying] = useState(true);
  const [place, setPlace] = useState<{ id: string | undefined; at: number }>({ id: photos[0]?.id, at: 0 });
  const [loadedId, setLoadedId] = useState<string>();
  const index = placeOf(photos, place);
  const photo = photos[index];
  const go = (to: number) => {
    const at = (to + photos.length) % Math.max(1, photos.length);
    setPlace({ id: photos[at]?.id, at });
  };
  const next = useRef(() => {});
  next.current = () => go(index + 1);
  useScreen(playing);
  const isTimed = playing && photo !== undefined && photo.id === loadedId && photos.length > 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every photo has its whole time
  useEffect(() => {
    if (!isTimed) return;
    const timer = setTimeout(() => next.current(), pace * 1000);
    return () => clearTimeout(timer);
  }, [isTimed, pace, photo?.id]);
  useEffect(() => {
    const onHidden = () => document.hidden && setPlaying(false);
    document.addEventListener("visibilitychange", onHidden);
    return () => document.removeEventListener("visibilitychange", onHidden);
  }, []);
  return {
    photo,
    index,
    following: photos[(index + 1) % Math.max(1, photos.length)],
    playing,
    toggle: () => setPlaying(!playing),
    go,
    onLoaded: setLoadedId,
  };
}
