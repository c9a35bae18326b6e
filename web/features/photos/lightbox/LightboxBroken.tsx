import { Download, ImageOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../../data/media.queries.ts";
import { saveFrom } from "../../../lib/browser/save-file.ts";
import { downloadUrl } from "../../../lib/request/rendition-url.ts";
import { useKnownMediaUrls } from "../../../media/use-media-urls.ts";
import { Button } from "../../../ui/Button.tsx";

interface LightboxBrokenProps {
  photo: Photo;
  may: { change: boolean; download: boolean };
}

/** A file that is kept as it came, but is no picture that anyone can show. */
export function LightboxBroken({ photo, may }: LightboxBrokenProps) {
  const { t } = useTranslation(["gallery", "media"]);
  const { url } = useKnownMediaUrls(photo);
  const name = photo.file_name || photo.type;
  // Of what can not be read no copy without place and device can be made, so only its own people may have it.
  const kept = may.change && url;
  return (
    <div className="grid size-full place-content-center justify-items-center gap-3 px-8 text-center text-white/85">
      <ImageOff aria-hidden className="size-10" />
      <p className="font-serif text-xl">{t(photo.type === "video" ? "broken.videoTitle" : "broken.title")}</p>
      <p className="text-white/80">{kept ? t("broken.kept") : t("broken.lost")}</p>
      <p className="text-sm break-all text-white/70">{photo.file_name}</p>
      {kept && (
        <Button
          variant="quiet"
          className="mt-2 border-white/40! bg-transparent! text-white! hover:border-white!"
          onClick={() => saveFrom(downloadUrl(url, name), name)}
        >
          <Download aria-hidden className="size-5" />
          {t("media:lightbox.download")}
        </Button>
      )}
    </div>
  );
}
