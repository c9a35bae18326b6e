import type { TFunction } from "i18next";
import type { Photo } from "../../data/media.queries.ts";
import type { MediaUrlCache } from "../../media/media-url-cache.ts";
import { toast } from "../../ui/toasts.tsx";
import { loadFiles, openSheet } from "./share-sheet.ts";

/** Hands photos to the system's share sheet. What fails is said in a toast. */
export async function sharePhotos(photos: readonly Photo[], urls: MediaUrlCache, t: TFunction<"gallery">) {
  const failed = (title: string) => toast({ title, tone: "problem" });
  try {
    await urls.ask(photos);
    const items = photos.flatMap((photo) => {
      const { url } = urls.get(photo.id);
      return url ? [{ url, name: photo.file_name || photo.type, shown: photo.edit !== null }] : [];
    });
    if (items.length < photos.length) return failed(t("share.failed"));
    const files = await loadFiles(items);
    const open = async () => {
      const result = await openSheet(files);
      if (result === "too many") failed(t("share.tooMany"));
      if (result !== "too late") return;
      const onSelect = () => void open().catch(() => failed(t("share.failed")));
      toast({ title: t("share.ready", { count: files.length }), action: { label: t("share.photo"), onSelect } });
    };
    await open();
  } catch {
    failed(t("share.failed"));
  }
}
