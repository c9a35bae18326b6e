import { Clapperboard, Download, VideoOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../../data/media.queries.ts";
import { saveFrom } from "../../../lib/browser/save-file.ts";
import { downloadUrl } from "../../../lib/request/rendition-url.ts";
import { Button } from "../../../ui/Button.tsx";
import { Progress } from "../../../ui/Progress.tsx";

/** Why a video does not play: this browser knows no such video, no copy of it can be shared, or none can be yet. */
export type Trouble = "unplayable" | "withheld" | "preparing";

interface VideoNoteProps {
  photo: Photo;
  /** The signed address of the original. */
  url: string | undefined;
  poster: string | undefined;
  may: { change: boolean; download: boolean };
  trouble: Trouble;
}

/** What stands where a video can not be played here: that it is safe, and what can be done. */
export function VideoNote({ photo, url, poster, may, trouble }: VideoNoteProps) {
  const { t } = useTranslation("video");
  const { playback } = photo;
  const name = photo.file_name || photo.type;
  const progress = photo.playback_progress ?? 0;
  const isPreparing = trouble === "preparing";
  const isComing = trouble === "unplayable" && (playback === "waiting" || playback === "making");
  const download = trouble === "unplayable" && may.download && url;
  const [title, hint] =
    isComing || isPreparing
      ? [t(isPreparing ? "preparing" : "coming"), t(playback === "making" ? "makingHint" : "waitingHint")]
      : trouble === "withheld"
        ? [t("withheld"), t("withheldHint")]
        : [t("unplayable"), download ? t("unplayableDownload") : t("unplayableHint")];
  const Icon = isComing || isPreparing ? Clapperboard : VideoOff;
  return (
    <div className="relative grid size-full place-content-center overflow-hidden">
      {poster && <img src={poster} alt="" className="absolute inset-0 size-full object-contain opacity-25" />}
      <div className="relative grid max-w-md justify-items-center gap-3 px-8 text-center text-white/90">
        <Icon aria-hidden className="size-10" />
        {/* Said once, and not at every percent. */}
        <p role="status" className="font-serif text-xl text-balance">
          {title}
        </p>
        {playback === "making" && (
          <>
            <Progress value={progress} label={t("progress")} className="max-w-64 bg-white/25 [&>*]:bg-teal" />
            <p aria-hidden className="text-sm tabular-nums text-white/80">
              {Math.floor(progress * 100)}%
            </p>
          </>
        )}
        <p className="text-white/80">{hint}</p>
        {photo.file_name && <p className="text-sm break-all text-white/70">{photo.file_name}</p>}
        {download && (
          <Button
            variant="quiet"
            className="mt-2 border-white/40! bg-transparent! text-white! hover:border-white!"
            onClick={() => saveFrom(downloadUrl(url, name), name)}
          >
            <Download aria-hidden className="size-5" />
            {t("download")}
          </Button>
        )}
      </div>
    </div>
  );
}
