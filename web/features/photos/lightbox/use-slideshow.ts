import { useCallback, useEffect, useState } from "react";
import type { Photo } from "../../../data/media.queries.ts";
import { useLatest } from "../../../lib/browser/use-latest.ts";

/** Choices of seconds per photo. */
export const SPEEDS = [3, 5, 8, 15];

interface SlideshowOptions {
  /** The open photo. */
  photo: Pick<Photo, "id" | "type"> | undefined;
  onNext: () => void;
}

/** Runs a slideshow: shows each photo for some seconds and each video to its end, and keeps the screen on. */
export function useSlideshow({ photo, onNext }: SlideshowOptions) {
  const [playing, setPlaying] = useState(false);
  const [seconds, setSeconds] = useState(5);
  const next = useLatest(onNext);
  useAwake(playing);

  const id = photo?.id;
  const timed = playing && photo?.type === "image";
  // biome-ignore lint/correctness/useExhaustiveDependencies: every photo has its whole time
  useEffect(() => {
    if (!timed) return;
    const timer = setTimeout(() => next.current(), seconds * 1000);
    return () => clearTimeout(timer);
  }, [timed, seconds, id]);

  // Pauses when the page is hidden.
  useEffect(() => {
    const onHidden = () => document.hidden && setPlaying(false);
    document.addEventListener("visibilitychange", onHidden);
    return () => document.removeEventListener("visibilitychange", onHidden);
  }, []);

  return {
    playing,
    seconds,
    setSeconds,
    play: useCallback(() => setPlaying(true), []),
    pause: useCallback(() => setPlaying(false), []),
    /** Called at the open video's end. */
    ended: () => playing && next.current(),
  };
}

export type Slideshow = ReturnType<typeof useSlideshow>;

/** Holds a screen wake lock. Browsers without support, or with a low battery, refuse it. */
function useAwake(isWanted: boolean) {
  useEffect(() => {
    if (!isWanted || !("wakeLock" in navigator)) return;
    const lock = navigator.wakeLock.request("screen").catch(() => undefined);
    return () => void lock.then((sentinel) => sentinel?.release()).catch(() => {});
  }, [isWanted]);
}
