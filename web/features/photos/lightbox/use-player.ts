import { useEffect, useRef, useState } from "react";
import type { Photo } from "../../../data/media.queries.ts";
import { playableUrl } from "../../../lib/request/rendition-url.ts";

const NOT_FOUND = 404;

/**
 * Plays a video from its original at the signed `url`, or from its playback copy if that exists or the original does
 * not play. Space and K play and pause.
 */
export function usePlayer(photo: Photo, url: string | undefined, onGone: () => void) {
  const player = useRef<HTMLVideoElement>(null);
  // A copy that becomes ready during playback does not restart the video.
  const [hadCopy] = useState(photo.playback === "ready");
  const [failed, setFailed] = useState<{ copy?: true; original?: true }>({});
  const hasCopy = photo.playback === "ready" && !failed.copy;
  const copied = hasCopy && (hadCopy || failed.original !== undefined);
  const src = url && (copied ? playableUrl(url) : url);
  const fail = () => setFailed((before) => ({ ...before, [copied ? "copy" : "original"]: true }));

  useEndedWhenLeft(player, src);
  useKeys(player);

  const onError = async () => {
    // The player reports an unplayable file and lost access alike.
    const reply = src && (await fetch(src, { method: "HEAD" }).catch(() => undefined));
    if (!reply) return;
    // Only the copy may be missing.
    if (reply.ok || (copied && reply.status === NOT_FOUND)) fail();
    else onGone();
  };
  const onLoadedMetadata = () => {
    // Browsers play the sound of a video whose pictures they cannot decode.
    if (photo.width !== null && player.current?.videoWidth === 0) fail();
  };
  return { player, src, isUnplayable: !copied && failed.original === true, onError, onLoadedMetadata };
}

/** Ends a removed player's download, which would use bandwidth until garbage collection. */
export function useEndedWhenLeft(player: { current: HTMLVideoElement | null }, src: string | undefined) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another source has another player
  useEffect(() => {
    const element = player.current;
    return () => {
      if (!element || element.isConnected) return;
      element.pause();
      element.removeAttribute("src");
      element.load();
    };
  }, [player, src]);
}

/** Elements that handle keys themselves. */
export const TAKES_KEYS = "a, button, input, textarea, select, video, [role=menu], [role=slider], [contenteditable]";

function useKeys(player: { current: HTMLVideoElement | null }) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const element = player.current;
      const taken = event.target instanceof Element && event.target.closest(TAKES_KEYS);
      if (!element || taken || (event.key !== " " && event.key !== "k")) return;
      event.preventDefault();
      if (element.paused) element.play().catch(() => {});
      else element.pause();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [player]);
}
