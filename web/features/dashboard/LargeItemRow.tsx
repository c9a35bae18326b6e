import { Film, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { sizeText } from "../../../shared/storage.ts";
import type { LargeItem } from "../../data/storage.queries.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { paths } from "../../paths.ts";
import { IconButton } from "../../ui/IconButton.tsx";

interface LargeItemRowProps {
  item: LargeItem;
  /** The address of a small picture of it; undefined while that is not known. */
  thumbnail: string | undefined;
  onDelete: () => void;
}

/** One of the largest photos and videos: what it is, how large, and where; it opens in its memory. */
export function LargeItemRow({ item, thumbnail, onDelete }: LargeItemRowProps) {
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
        <span
          className="relative grid size-16 shrink-0 place-content-center overflow-hidden rounded-xl bg-line bg-cover bg-center text-ink-soft"
          style={{ backgroundImage: item.placeholder ? `url("${item.placeholder}")` : undefined }}
        >
          {item.type === "video" && <Film aria-hidden className="size-6" />}
          {thumbnail && (
            <img
              src={thumbnail}
              alt=""
              loading="lazy"
              decoding="async"
              className="absolute inset-0 size-full object-cover"
            />
          )}
        </span>
        <span className="grid min-w-0">
          <span className="truncate font-semibold group-hover:text-deep">{name}</span>
          <span className="truncate text-sm text-ink-soft">
            {size} · {memory}
          </span>
        </span>
      </Link>
      <IconButton label={t("largest.delete", { name })} onClick={onDelete} className="text-ink-soft">
        <Trash2 aria-hidden className="size-5" />
      </IconButton>
    </li>
  );
}
