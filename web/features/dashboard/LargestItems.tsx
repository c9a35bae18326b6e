import "../../i18n/namespaces/media.ts";
import { useTranslation } from "react-i18next";
import { useDeletePhotos, useHiddenPhotos } from "../../actions/delete-photos.ts";
import type { StorageStats } from "../../data/storage.queries.ts";
import { LargeItemRow } from "./LargeItemRow.tsx";
import { MoreButton } from "./MoreButton.tsx";
import { Panel } from "./Panel.tsx";
import { useFirst } from "./use-first.ts";
import { useThumbnails } from "./use-thumbnails.ts";

const AT_FIRST = 6;

/** The photos and videos that take up most room, each to be opened or deleted. */
export function LargestItems({ stats }: { stats: StorageStats }) {
  const { t } = useTranslation("dashboard");
  const hidden = useHiddenPhotos();
  const remove = useDeletePhotos();
  const thumbnails = useThumbnails(stats.largest);
  const items = useFirst(
    stats.largest.filter(({ id }) => !hidden.has(id)),
    AT_FIRST,
  );
  return (
    <Panel title={t("largest.title")} text={t("largest.text")} className="lg:col-span-2">
      {items.all.length === 0 && <p className="text-ink-soft">{t("largest.empty")}</p>}
      {items.shown.length > 0 && (
        <ul className="m-0 grid list-none gap-x-8 gap-y-3 p-0 lg:grid-cols-2">
          {items.shown.map((item) => (
            <LargeItemRow key={item.id} item={item} thumbnail={thumbnails(item)} onDelete={() => remove([item])} />
          ))}
        </ul>
      )}
      <MoreButton list={items} more={t("more", { count: items.all.length })} fewer={t("fewer")} />
    </Panel>
  );
}
