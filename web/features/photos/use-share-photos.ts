import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../data/media.queries.ts";
import { useMediaUrlCache } from "../../media/use-media-urls.ts";
import { toast } from "../../ui/toasts.tsx";

/** Whether this browser hands files to the system's share sheet. */
const hasSheet = () => {
  const file = new File(["."], "photo.jpg", { type: "image/jpeg" });
  return typeof navigator.canShare === "function" && navigator.canShare({ files: [file] });
};

/** The name of the action. On iPhones and iPads the sheet is also the way into the photo library. */
export function useShareLabel(): string {
  const { t } = useTranslation("gallery");
  const isIos =
    /iPhone|iPad/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
  return t(isIos ? "share.orSave" : "share.photo");
}

/** Returns a function that hands photos to the system's share sheet; undefined if the browser has none for files. */
export function useSharePhotos(): ((photos: readonly Photo[]) => void) | undefined {
  const { t } = useTranslation("gallery");
  const urls = useMediaUrlCache();
  const [supported] = useState(hasSheet);
  const share = useCallback(
    (photos: readonly Photo[]) => {
      toast({ title: t("share.preparing", { count: photos.length }) });
      import("./share-photos.ts").then(
        ({ sharePhotos }) => sharePhotos(photos, urls, t),
        () => toast({ title: t("share.failed"), tone: "problem" }),
      );
    },
    [t, urls],
  );
  return supported ? share : undefined;
}
