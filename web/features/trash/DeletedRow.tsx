import {
  BookImage,
  Film,
  Image as ImageIcon,
  type LucideIcon,
  MessageCircle,
  NotebookText,
  RotateCcw,
  Sparkles,
  Trash2,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { sizeText } from "../../../shared/storage.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { daysAgo, daysBetween } from "../../lib/formatting/time-ago.ts";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import type { DeletedItem } from "./trash.queries.ts";

interface DeletedRowProps {
  item: DeletedItem;
  now: Date;
  busy: boolean;
  onRestore: () => void;
  onDelete: () => void;
}

/** One deleted item: what it is, when it was deleted and is gone, and the two ways out of the trash. */
export function DeletedRow({ item, now, busy, onRestore, onDelete }: DeletedRowProps) {
  const { t, i18n } = useTranslation("trash");
  const locale = localeOf(i18n.language);
  const kind = item.media ? item.media.type : item.kind;
  const name = item.name || t(`unnamed.${kind}`);
  const facts = [
    t(`kinds.${kind}`),
    ...(item.memory_name && item.kind !== "memory" ? [item.memory_name] : []),
    ...(item.bytes > 0 ? [sizeText(item.bytes, locale)] : []),
  ];
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2" aria-label={name}>
      <DeletedTile {...item} />
      <span className="grid min-w-0 flex-1">
        <span className="truncate font-semibold">{name}</span>
        <span className="truncate text-sm text-ink-soft">{facts.join(" · ")}</span>
        <span className="text-sm text-ink-soft">
          {t("when", {
            ago: daysAgo(new Date(item.deleted_at), now, locale),
            left: t("left", { count: daysBetween(now, new Date(item.purged_at)) }),
          })}
        </span>
      </span>
      <span className="flex items-center gap-1 max-sm:basis-full max-sm:ps-20">
        <Button
          variant="quiet"
          size="small"
          aria-busy={busy}
          aria-label={t("restoreNamed", { name })}
          onClick={() => !busy && onRestore()}
        >
          <RotateCcw aria-hidden className="size-4" />
          {t("restore")}
        </Button>
        <IconButton label={t("deleteNamed", { name })} onClick={onDelete} className="text-ink-soft">
          <Trash2 aria-hidden className="size-5" />
        </IconButton>
      </span>
    </li>
  );
}

const ICONS: Record<DeletedItem["kind"], LucideIcon> = {
  media: ImageIcon,
  story: NotebookText,
  comment: MessageCircle,
  album: BookImage,
  memory: Sparkles,
};

/** What a deleted item looked like, as far as its row tells: nobody can fetch its bytes. */
function DeletedTile({ kind, media }: DeletedItem) {
  const Icon = media?.type === "video" ? Film : ICONS[kind];
  return (
    <span
      className="grid size-16 shrink-0 place-content-center rounded-xl bg-line bg-cover bg-center text-ink-soft"
      style={{
        backgroundColor: media?.colour ?? undefined,
        backgroundImage: media?.placeholder ? `url("${media.placeholder}")` : undefined,
      }}
    >
      {(!media?.placeholder || media.type === "video") && (
        <span className="grid size-9 place-content-center rounded-full bg-raised text-ink-soft">
          <Icon aria-hidden className="size-5" />
        </span>
      )}
    </span>
  );
}
