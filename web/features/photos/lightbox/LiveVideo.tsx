import { CircleDot } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { classNames } from "../../../ui/class-names.ts";
import { useEndedWhenLeft } from "./use-player.ts";

interface LiveVideoProps {
  src: string;
  onEnded: () => void;
  onFailed: () => void;
}

/** The seconds that were recorded with a photo, over it while they play. */
export function LiveVideo({ src, onEnded, onFailed }: LiveVideoProps) {
  const player = useRef<HTMLVideoElement>(null);
  const [begun, setBegun] = useState(false);
  useEndedWhenLeft(player, src);
  return (
    // biome-ignore lint/a11y/useMediaCaption: families' own videos have no captions to offer
    <video
      ref={player}
      src={src}
      autoPlay
      playsInline
      onPlaying={() => setBegun(true)}
      // Of a video whose pictures it has no decoder for, a browser plays the sound.
      onLoadedMetadata={() => player.current?.videoWidth === 0 && onFailed()}
      onEnded={onEnded}
      onError={onFailed}
      className={classNames("absolute inset-0 size-full bg-[#070b12] object-contain", !begun && "opacity-0")}
    />
  );
}

export type LiveState = "still" | "playing" | "unplayable";

/** Plays the seconds that were recorded with a photo, and goes back to it. */
export function LiveButton({ state, onToggle }: { state: LiveState; onToggle: () => void }) {
  const { t } = useTranslation("gallery");
  return (
    <button
      type="button"
      aria-pressed={state === "playing"}
      aria-label={t("live.play")}
      disabled={state === "unplayable"}
      onClick={onToggle}
      className="absolute top-3 left-3 flex min-h-11 cursor-pointer items-center gap-2 rounded-full bg-black/55 px-4 font-semibold text-white hover:bg-black/80 disabled:cursor-default"
    >
      <CircleDot aria-hidden className={classNames("size-5", state === "playing" && "text-teal")} />
      <span role="status">{t(state === "unplayable" ? "live.unplayable" : "live.mark")}</span>
    </button>
  );
}
