import { AudioLines, Film, Image as ImageIcon, Trash2, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { percentUsed, sizeText, storageLevel } from "../../../shared/storage.ts";
import type { StorageStats } from "../../data/storage.queries.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { paths } from "../../paths.ts";
import { classNames } from "../../ui/class-names.ts";
import { Panel } from "../../ui/Panel.tsx";
import { Ring } from "../../ui/Ring.tsx";
import { toneOf } from "./use-storage-ring.ts";

/** The used storage by kind of file. */
export function StoragePanel({ stats }: { stats: StorageStats }) {
  const { t, i18n } = useTranslation("dashboard");
  const { totalSize, maxStorage, imageCount, videoCount, recordingCount, trash } = stats;
  const locale = localeOf(i18n.language);
  const level = storageLevel(totalSize, maxStorage);
  const size = (bytes: number) => sizeText(bytes, locale);
  const free = size(Math.max(0, maxStorage - totalSize));
  return (
    <Panel title={t("storage.title")} className="lg:grid-rows-[auto_1fr]">
      <div className="flex min-h-44 flex-wrap items-center gap-x-10 gap-y-6">
        <Ring value={totalSize / maxStorage} tone={toneOf[level]} className="size-44">
          <span className="grid justify-items-center text-ink">
            <span className="font-serif text-4xl leading-tight">{percentUsed(totalSize, maxStorage)}</span>
            <span className="text-sm text-ink-soft">{t("storage.used")}</span>
          </span>
        </Ring>
        <div className="grid gap-3">
          <div>
            <p className="font-serif text-2xl">{t("storage.of", { used: size(totalSize), limit: size(maxStorage) })}</p>
            {level === "calm" ? (
              <p className="text-ink-soft">{t("storage.left", { left: free })}</p>
            ) : (
              <p className={classNames("flex gap-2 font-semibold", level === "near" ? "text-amber" : "text-red")}>
                <TriangleAlert aria-hidden className="mt-1 size-5 shrink-0" />
                {totalSize >= maxStorage ? t("storage.over") : t(`storage.${level}`, { left: free })}
              </p>
            )}
          </div>
          <ul className="m-0 grid list-none gap-1 p-0">
            <li className="flex items-center gap-3">
              <ImageIcon aria-hidden className="size-5 text-ink-soft" />
              {t("storage.photos", { count: imageCount })}
            </li>
            <li className="flex items-center gap-3">
              <Film aria-hidden className="size-5 text-ink-soft" />
              {t("storage.videos", { count: videoCount })}
            </li>
            {recordingCount > 0 && (
              <li className="flex items-center gap-3">
                <AudioLines aria-hidden className="size-5 text-ink-soft" />
                {t("storage.recordings", { count: recordingCount })}
              </li>
            )}
            {trash.bytes > 0 && (
              <li className="flex items-center gap-3">
                <Trash2 aria-hidden className="size-5 text-ink-soft" />
                <Link to={paths.trash()}>{t("storage.trash", { size: size(trash.bytes) })}</Link>
              </li>
            )}
          </ul>
        </div>
      </div>
    </Panel>
  );
}
