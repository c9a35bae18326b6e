import { type PointerEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { share } from "../../../../shared/file-numbers.ts";
import type { Photo } from "../../../data/media.queries.ts";
import { usePhotoText } from "../../../media/photo-text.ts";
import { useKnownMediaUrls } from "../../../media/use-media-urls.ts";
import { Wave } from "../../../media/Wave.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { MediaNote } from "./MediaNote.tsx";
import { usePlayer } from "./use-player.ts";

interface LightboxSoundProps {
  photo: Photo;
  plays: boolean;
  may: { change: boolean; download: boolean };
  onEnded: () => void;
  onFailed: () => void;
}

/** Renders the open recording: its wave, the browser's controls and the words that are said; or a note. */
export function LightboxSound({ photo, plays, may, onEnded, onFailed }: LightboxSoundProps) {
  const { t } = useTranslation("gallery");
  const { url } = useKnownMediaUrls(photo);
  const text = usePhotoText()(photo);
  const [position, setPosition] = useState(0);
  // Readers without access to the original wait for the copy, because the server would refuse the request.
  const hasBytes = may.change || photo.visitor_copy === "ready";
  const { player, src, isUnplayable, onError } = usePlayer<HTMLAudioElement>(
    photo,
    hasBytes ? url : undefined,
    onFailed,
  );
  const trouble = hasBytes ? isUnplayable && "unplayable" : photo.visitor_copy === "failed" ? "withheld" : "preparing";
  if (trouble) return <MediaNote photo={photo} url={url} poster={undefined} may={may} trouble={trouble} />;

  const seconds = () => player.current?.duration || photo.duration || 0;
  const seek = ({ currentTarget, clientX, buttons }: PointerEvent) => {
    if (buttons !== 1 || !player.current || !Number.isFinite(seconds())) return;
    const { left, width } = currentTarget.getBoundingClientRect();
    player.current.currentTime = share((clientX - left) / width) * seconds();
  };
  return (
    <div
      className={classNames(
        "mx-auto grid size-full max-w-[52rem] gap-6 px-4 py-4 sm:px-20",
        photo.alt_text
          ? "grid-rows-[minmax(0,1fr)_auto_minmax(0,2fr)]"
          : "grid-rows-[minmax(0,12rem)_auto] content-center",
      )}
    >
      <div
        // The browser's slider below does the same by keyboard.
        onPointerDown={seek}
        onPointerMove={seek}
        className="grid min-h-24 cursor-pointer touch-none items-end"
      >
        <Wave
          peaks={photo.peaks}
          lines={60}
          played={share(position / seconds())}
          className="h-full max-h-48 w-full text-[#7fd6cb]"
        />
      </div>
      {/* biome-ignore lint/a11y/useMediaCaption: the words are shown below it */}
      <audio
        // Each source gets a new player, because some players keep the previous source's error.
        key={src}
        ref={player}
        controls
        autoPlay={plays}
        preload="metadata"
        aria-label={text}
        src={src}
        onTimeUpdate={({ currentTarget }) => setPosition(currentTarget.currentTime)}
        onEnded={onEnded}
        onError={onError}
        className="w-full"
      />
      {photo.alt_text && (
        <section aria-label={t("details.words")} className="overflow-y-auto">
          <p dir="auto" className="mx-auto max-w-[40rem] font-serif text-lg whitespace-pre-line wrap-anywhere">
            {photo.alt_text}
          </p>
        </section>
      )}
    </div>
  );
}
