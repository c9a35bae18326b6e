import { useEffect, useRef, useState } from "react";
import { playableUrl } from "../../../../lib/rendition-url.ts";
import type { Photo } from "../../../media/media.queries.ts";

/** Why a video does not play: this browser knows no such video, or the server can send no copy of it. */
export type Trouble = "unplayable" | "withheld";

/** HTTP's status where a copy without private details can not be made. */
const UNPROCESSABLE = 422;

/**
 * Plays a video from the copy that plays everywhere, where there is one, else from its original; `url` is the original's
 * signed address. Space and K play and pause; whoever leaves ends it.
 */
export function usePlayer(photo: Photo, url: string | undefined, onGone: () => void) {
  const player = useRef<HTMLVideoElement>(null);
  const copied = photo.playback === "ready";
  const src = url && (copied ? playableUrl(url) : url);
  // Trouble is with one source; another one begins without.
  const [failed, setFailed] = useState<{ copied: boolean; trouble: Trouble }>();
  const trouble = failed?.copied === copied ? failed.trouble : undefined;
  const say = (what: Trouble) => setFailed({ copied, trouble: what });

  useEndedWhenLeft(player, src);
  useKeys(player);

  const onError = async () => {
    // The player does not tell what it can not play from what it may not open any more.
    const reply = src && (await fetch(src, { method: "HEAD" }).catch(() => undefined));
    if (!reply) return;
    if (reply.ok) say("unplayable");
    else if (reply.status === UNPROCESSABLE) say("withheld");
    else onGone();
  };
  const onLoadedMetadata = () => {
    // Of a video whose pictures it has no decoder for, a browser plays the sound.
    if (photo.width !== null && player.current?.videoWidth === 0) say("unplayable");
  };
  return { player, src, trouble, onError, onLoadedMetadata };
}

/** A player that is gone would go on loading until it is forgotten, on a connection that photos wait for. */
function useEndedWhenLeft(player: { current: HTMLVideoElement | null }, src: string | undefined) {
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

const TAKES_KEYS = "a, button, input, textarea, select, video, [role=menu], [role=slider], [contenteditable]";

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
