import { useInfiniteQuery } from "@tanstack/react-query";
import {
  AudioLines,
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
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { sizeText } from "../../../shared/storage.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { daysAgo, daysBetween } from "../../lib/formatting/time-ago.ts";
import { serverNow } from "../../lib/request/server-clock.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { Button } from "../../ui/Button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toast } from "../../ui/toasts.tsx";
import { ConfirmDeletion } from "./ConfirmDeletion.tsx";
import { countOf, type DeletedItem, isMemoryLimit, trashQuery, useDeleteForever, useRestore } from "./trash.queries.ts";

const AT_FIRST = 6;
const MORE = 48;

/** Renders the signed-in person's deleted items, of all memories or of one, with buttons to restore or delete them. */
export function DeletedList({ memoryId }: { memoryId?: string }) {
  const { t } = useTranslation(["trash", "undo"]);
  const { id: userId } = useUser();
  const query = useInfiniteQuery(trashQuery(supabase, userId, memoryId));
  const [count, setShown] = useState(AT_FIRST);
  const [itemToDelete, setItemToDelete] = useState<DeletedItem>();
  const kindToDelete = itemToDelete?.media?.type ?? itemToDelete?.kind ?? "media";
  const restore = useRestore(supabase);
  const remove = useDeleteForever(supabase);
  // The list gets the focus, because the focused button disappears with its item.
  const list = useRef<HTMLDivElement>(null);
  const focusList = () => list.current?.focus();

  if (query.isPending) return <Skeleton className="h-40 rounded-2xl" />;
  if (query.isLoadingError) return <Problem error={new Error(t("failed"))} retry={query.refetch} />;
  const items = query.data.pages.flat();
  const { count: total } = countOf(query.data.pages);

  const bringBack = (item: DeletedItem) =>
    restore.mutate(item, {
      onSuccess: () => {
        toast({ title: t("restored"), tone: "success" });
        focusList();
      },
      onError: (error) =>
        toast({
          title: t("undo:restoreFailed"),
          description: isMemoryLimit(error) ? t("limit") : t("restoreFailedText"),
          tone: "problem",
        }),
    });
  const showMore = () => {
    setShown(count + MORE);
    if (count + MORE > items.length && query.hasNextPage) void query.fetchNextPage();
  };
  const now = new Date(serverNow());
  return (
    <div ref={list} tabIndex={-1} className="grid gap-5 outline-none">
      {total === 0 && <p className="text-ink-soft">{t("empty")}</p>}
      <ul
        aria-label={t("title")}
        className={classNames(
          "m-0 grid list-none gap-x-8 gap-y-4 p-0 empty:hidden",
          memoryId === undefined && "lg:grid-cols-2",
        )}
      >
        {items.slice(0, count).map((item) => (
          <DeletedRow
            key={`${item.kind}/${item.id}`}
            item={item}
            now={now}
            busy={restore.isPending && restore.variables.id === item.id}
            onRestore={() => bringBack(item)}
            onDelete={() => {
              remove.reset();
              setItemToDelete(item);
            }}
          />
        ))}
      </ul>
      {total > count && (
        <div>
          <Button variant="plain" className="-ms-5" aria-busy={query.isFetchingNextPage} onClick={showMore}>
            {t("more", { count: Math.min(MORE, total - count) })}
          </Button>
        </div>
      )}
      <ConfirmDeletion
        title={t("deleteTitle")}
        text={t("deleteText", { name: itemToDelete?.name || t(`unnamed.${kindToDelete}`) })}
        confirm={t("deleteForever")}
        open={itemToDelete !== undefined}
        deletion={remove}
        onConfirm={() =>
          itemToDelete &&
          remove.mutate(itemToDelete, {
            onSuccess: () => {
              setItemToDelete(undefined);
              toast({ title: t("deletedForever") });
            },
          })
        }
        onClose={() => setItemToDelete(undefined)}
        onClosed={focusList}
      />
    </div>
  );
}

interface DeletedRowProps {
  item: DeletedItem;
  now: Date;
  busy: boolean;
  onRestore: () => void;
  onDelete: () => void;
}

/** Renders a deleted item with its dates and actions. */
function DeletedRow({ item, now, busy, onRestore, onDelete }: DeletedRowProps) {
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
        <span dir="auto" className="truncate font-semibold">
          {name}
        </span>
        <span className="truncate text-sm text-ink-soft">{facts.join(" · ")}</span>
        <span className="text-sm text-ink-soft">
          {t("when", {
            ago: daysAgo(new Date(item.deleted_at), now, locale),
            left: t("left", { count: daysBetween(now, new Date(item.purged_at)) }),
          })}
        </span>
      </span>
      <span className="flex flex-wrap items-center gap-1 max-sm:basis-full max-sm:ps-20">
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
        <IconButton icon={Trash2} label={t("deleteNamed", { name })} onClick={onDelete} className="text-ink-soft" />
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

/** Renders a preview of a deleted item from the data in its row, because its file is inaccessible. */
function DeletedTile({ kind, media }: DeletedItem) {
  const Icon = media?.type === "video" ? Film : media?.type === "audio" ? AudioLines : ICONS[kind];
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
