import { Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { sizeText } from "../../../shared/storage.ts";
import { useDeletePhotos, useHiddenPhotos } from "../../actions/delete-photos.ts";
import type { LargeItem, StorageStats } from "../../data/storage.queries.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { Thumbnail } from "../../media/Thumbnail.tsx";
import { useThumbnails } from "../../media/use-thumbnails.ts";
import { paths } from "../../paths.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { MoreButton, useFirst } from "./MoreButton.tsx";

const AT_FIRST = 6;

/** The largest photos and videos, which can be opened or deleted. */
export function LargestItems({ stats }: { stats: StorageStats }) {
  const { t } = useTranslation("dashboard");
  const hidden = useHiddenPhotos();
  const remove = useDeletePhotos();
  const thumbnails = useThumbnails("largest", stats.largest);
  const items = useFirst(
    stats.largest.filter(({ id }) => !hidden.has(id)),
    AT_FIRST,
  );
  if (stats.largest.length === 0) return null;
  return (
    <Panel title={t("largest.title")} text={t("largest.text")} className="lg:col-span-2">
      {items.all.length === 0 && <p className="text-ink-soft">{t("largest.empty")}</p>}
      {items.visibleItems.length > 0 && (
        <ul className="m-0 grid list-none grid-cols-1 gap-x-8 gap-y-3 p-0 lg:grid-cols-2">
          {items.visibleItems.map((item) => (
            <LargeItemRow key={item.id} item={item} thumbnail={thumbnails(item)} onDelete={() => remove([item])} />
          ))}
        </ul>
      )}
      <MoreButton list={items} more={t("more", { count: items.all.length })} fewer={t("fewer")} />
    </Panel>
  );
}

interface LargeItemRowProps {
  item: LargeItem;
  /** The URL of its small picture; undefined while loading. */
  thumbnail: string | undefined;
  onDelete: () => void;
}

/** One of the largest files: a link to it, with its size and memory. */
function LargeItemRow({ item, thumbnail, onDelete }: LargeItemRowProps) {
  const { t, i18n } = useTranslation("dashboard");
  const name = item.file_name || t(`largest.${item.type}`);
  const size = sizeText(item.size, localeOf(i18n.language));
  const memory = item.memory_name || t("byMemory.unnamed");
  return (
    <li className="flex min-w-0 items-center gap-3">
      <Link
        to={paths.photo(item.memory_id, item.id)}
        aria-label={t("largest.open", { name, size, memory })}
        className="group flex min-w-0 grow items-center gap-4 rounded-2xl text-ink no-underline"
      >
        <Thumbnail media={item} url={thumbnail} className="size-16" />
        <span className="grid min-w-0">
          <span dir="auto" className="truncate font-semibold group-hover:text-deep">
            {name}
          </span>
          <span className="truncate text-sm text-ink-soft">
            {size} · {memory}
          </span>
        </span>
      </Link>
      <IconButton icon={Trash2} label={t("largest.delete", { name })} onClick={onDelete} className="text-ink-soft" />
    </li>
  );
}
