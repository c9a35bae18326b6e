import { AudioLines, Clapperboard, Download, VideoOff, VolumeX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { share } from "../../../../shared/file-numbers.ts";
import type { Photo } from "../../../data/media.queries.ts";
import { saveFrom } from "../../../lib/browser/save-file.ts";
import { downloadUrl } from "../../../lib/request/rendition-url.ts";
import { Button } from "../../../ui/Button.tsx";
import { Progress } from "../../../ui/Progress.tsx";
import { useMinutesLeft } from "./use-minutes-left.ts";

export const percentOf = (progress: number | null) => Math.floor(share(progress) * 100);

/** Why a video or recording does not play: this browser cannot play it, no copy can be shared, or no copy is ready yet. */
type Trouble = "unplayable" | "withheld" | "preparing";

interface MediaNoteProps {
  photo: Photo;
  /** The signed URL of the original. */
  url: string | undefined;
  poster: string | undefined;
  may: { change: boolean; download: boolean };
  trouble: Trouble;
}

/** Renders a note for a video or recording that cannot be played: it is stored, and these are the person's options. */
export function MediaNote({ photo, url, poster, may, trouble }: MediaNoteProps) {
  const { t } = useTranslation("video");
  const of = photo.type === "audio" ? "audio." : "";
  const { playback } = photo;
  const minutes = useMinutesLeft(photo.playback_progress);
  const name = photo.file_name || photo.type;
  const progress = share(photo.playback_progress);
  const isPreparing = trouble === "preparing";
  const isComing = trouble === "unplayable" && (playback === "waiting" || playback === "making");
  const download = trouble === "unplayable" && may.download && url;
  const [title, hint] =
    isComing || isPreparing
      ? [
          t(`${of}${isPreparing ? "preparing" : "coming"}`),
          playback === "making" ? t("makingHint") : t(`${of}waitingHint`),
        ]
      : trouble === "withheld"
        ? [t(`${of}withheld`), t("withheldHint")]
        : [t(`${of}unplayable`), download ? t(`${of}unplayableDownload`) : t(`${of}unplayableHint`)];
  const isSound = photo.type === "audio";
  const Icon = isComing || isPreparing ? (isSound ? AudioLines : Clapperboard) : isSound ? VolumeX : VideoOff;
  return (
    <div className="relative grid size-full place-content-center overflow-hidden">
      {poster && <img src={poster} alt="" className="absolute inset-0 size-full object-contain opacity-25" />}
      <div className="relative grid max-w-md justify-items-center gap-3 px-8 text-center text-white/90">
        <Icon aria-hidden className="size-10" />
        <p role="status" className="font-serif text-xl text-balance">
          {title}
        </p>
        {/* Outside of the status region, so that screen readers do not announce every percent. */}
        {playback === "making" && (
          <>
            <Progress value={progress} label={t(`${of}progress`)} className="max-w-64 bg-white/25 [&>*]:bg-teal" />
            <p aria-hidden className="text-sm tabular-nums text-white/80">
              {percentOf(progress)}%
            </p>
            {minutes !== undefined && (
              <p className="text-white/80">{minutes < 1 ? t("soon") : t("minutesLeft", { count: minutes })}</p>
            )}
          </>
        )}
        <p className="text-white/80">{hint}</p>
        {photo.file_name && (
          <p dir="auto" className="text-sm break-all text-white/70">
            {photo.file_name}
          </p>
        )}
        {download && (
          <Button
            icon={Download}
            variant="quiet"
            className="mt-2 border-white/40! bg-transparent! text-white! hover:border-white!"
            onClick={() => saveFrom(downloadUrl(url, name), name)}
          >
            {t(`${of}download`)}
          </Button>
        )}
      </div>
    </div>
  );
}
