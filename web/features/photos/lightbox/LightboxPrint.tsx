import { RefreshCcw } from "lucide-react";
import { type ComponentProps, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../../data/media.queries.ts";
import { useLatest } from "../../../lib/browser/use-latest.ts";
import { backUrl } from "../../../lib/request/rendition-url.ts";
import { useKnownMediaUrls } from "../../../media/use-media-urls.ts";
import { Button } from "../../../ui/Button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { lightboxSrcSet } from "./animation.ts";
import { hasOwnKeys, LightboxPhoto } from "./LightboxPhoto.tsx";

interface LightboxPrintProps extends ComponentProps<typeof LightboxPhoto> {
  turned: boolean;
  onTurn: () => void;
}

/** Renders the front or the back of a print, which can be zoomed and swiped like a photo, and the button that turns it over. */
export function LightboxPrint({ photo, turned, onTurn, onZoom, marks, ...rest }: LightboxPrintProps) {
  const { t } = useTranslation("gallery");
  const { picture } = useKnownMediaUrls(photo);
  const [wasTurned, setTurned] = useState(false);
  const turn = () => {
    // Turning pauses a slideshow, as zooming does.
    onZoom();
    setTurned(true);
    onTurn();
  };
  useTurnKey(turn);

  // The back, so that turning is at once.
  useEffect(() => {
    if (!picture) return;
    const image = new Image();
    image.sizes = "100vw";
    image.srcset = lightboxSrcSet(backUrl(picture), backOf(photo), false);
  }, [picture, photo]);

  return (
    <div className="grid size-full grid-rows-[minmax(0,1fr)_auto]">
      <div key={String(turned)} className={classNames("min-h-0", wasTurned && "motion-safe:animate-turn-over")}>
        <div className="relative size-full">
          <LightboxPhoto
            {...rest}
            photo={turned ? backOf(photo) : photo}
            turned={turned}
            onZoom={onZoom}
            // Points are on the front.
            marks={turned ? undefined : marks}
          />
        </div>
      </div>
      <div className="flex min-h-11 items-center justify-center gap-3 pt-1">
        <p role="status" className="min-w-14 text-end text-sm text-white/85">
          {t(turned ? "sides.back" : "sides.front")}
        </p>
        <Button
          icon={RefreshCcw}
          size="small"
          aria-keyshortcuts="f"
          onClick={turn}
          className="bg-white/15! text-white! shadow-none hover:bg-white/25!"
        >
          {t("sides.turn")}
        </Button>
      </div>
    </div>
  );
}

/** The photo as its back is shown: with the size of the back, and without what belongs to the front. */
const backOf = (photo: Photo): Photo => ({
  ...photo,
  width: photo.back_width,
  height: photo.back_height,
  animated: false,
  damaged: false,
  motion: null,
});

/** Turns the print over by the key F. */
function useTurnKey(turn: () => void) {
  const latest = useLatest(turn);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "f" || hasOwnKeys(event.target)) return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
