import { useEffect, useRef, useState } from "react";
import type { Photo } from "../../../data/media.queries.ts";
import { playableUrl } from "../../../lib/request/rendition-url.ts";

const NOT_FOUND = 404;

/**
 * Returns the source and handlers of the player of a video or recording: the playback copy if it is ready when the player
 * opens or the original does not play, otherwise the original at the signed `url`. Space and K play and pause.
 */
export function usePlayer<Player extends HTMLMediaElement = HTMLVideoElement>(
  photo: Photo,
  url: string | undefined,
  onGone: () => void,
) {
  const player = useRef<Player>(null);
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
    // The player reports the same error for an unplayable file and for lost access.
    const reply = src && (await fetch(src, { method: "HEAD" }).catch(() => undefined));
    if (!reply) return;
    // A 404 of the copy is treated as unplayable, because only the copy can be missing.
    if (reply.ok || (copied && reply.status === NOT_FOUND)) fail();
    else onGone();
  };
  const onLoadedMetadata = () => {
    // A browser that cannot decode the pictures of a video may still play its sound.
    if (photo.width !== null && player.current instanceof HTMLVideoElement && player.current.videoWidth === 0) fail();
  };
  return { player, src, isUnplayable: !copied && failed.original === true, onError, onLoadedMetadata };
}

/** Ends the download of a removed player, which would otherwise continue until garbage collection. */
export function useEndedWhenLeft(player: { current: HTMLMediaElement | null }, src: string | undefined) {
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
export const TAKES_KEYS =
  "a, button, input, textarea, select, video, audio, [role=menu], [role=slider], [contenteditable]";

function useKeys(player: { current: HTMLMediaElement | null }) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const element = player.current;
      const isOnControl = event.target instanceof Element && event.target.closest(TAKES_KEYS);
      if (!element || isOnControl || (event.key !== " " && event.key !== "k")) return;
      event.preventDefault();
      if (element.paused) element.play().catch(() => {});
      else element.pause();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [player]);
}
