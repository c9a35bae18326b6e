import { useInfiniteQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { Button } from "../../ui/Button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toast } from "../../ui/toasts.tsx";
import { ConfirmDeletion } from "./ConfirmDeletion.tsx";
import { DeletedRow } from "./DeletedRow.tsx";
import { type DeletedItem, isMemoryLimit, trashQuery, useDeleteForever, useRestore } from "./trash.queries.ts";

const AT_FIRST = 6;
const MORE = 48;

/** What the signed-in person deleted, in all their memories or in one, each to be restored or deleted for good. */
export function DeletedList({ memoryId }: { memoryId?: string }) {
  const { t } = useTranslation(["trash", "common"]);
  const { id: userId } = useUser();
  const query = useInfiniteQuery(trashQuery(supabase, userId, memoryId));
  const [shown, setShown] = useState(AT_FIRST);
  const [asked, setAsked] = useState<DeletedItem>();
  const restore = useRestore(supabase);
  const remove = useDeleteForever(supabase);
  // What had the focus goes with its row; the list stays, also when it is empty.
  const list = useRef<HTMLDivElement>(null);
  const focusList = () => list.current?.focus();

  if (query.isPending) return <Skeleton className="h-40 rounded-2xl" />;
  if (query.isError) return <Problem error={new Error(t("failed"))} retry={query.refetch} />;
  const items = query.data.pages.flat();
  const total = items[0]?.total ?? 0;

  const bringBack = (item: DeletedItem) =>
    restore.mutate(item, {
      onSuccess: () => {
        toast({ title: t("restored"), tone: "success" });
        focusList();
      },
      onError: (error) =>
        toast({
          title: t("common:trash.restoreFailed"),
          description: isMemoryLimit(error) ? t("limit") : t("restoreFailedText"),
          tone: "problem",
        }),
    });
  const showMore = () => {
    setShown(shown + MORE);
    if (shown + MORE > items.length && query.hasNextPage) void query.fetchNextPage();
  };
  const now = new Date();
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
        {items.slice(0, shown).map((item) => (
          <DeletedRow
            key={`${item.kind}/${item.id}`}
            item={item}
            now={now}
            busy={restore.isPending && restore.variables.id === item.id}
            onRestore={() => bringBack(item)}
            onDelete={() => {
              remove.reset();
              setAsked(item);
            }}
          />
        ))}
      </ul>
      {total > shown && (
        <div>
          <Button variant="plain" aria-busy={query.isFetchingNextPage} onClick={showMore}>
            {t("more", { count: total - shown })}
          </Button>
        </div>
      )}
      <ConfirmDeletion
        title={t("deleteTitle")}
        text={t("deleteText", { name: asked?.name || t(`unnamed.${asked?.media?.type ?? asked?.kind ?? "media"}`) })}
        confirm={t("deleteForever")}
        open={asked !== undefined}
        deletion={remove}
        onConfirm={() =>
          asked &&
          remove.mutate(asked, {
            onSuccess: () => {
              setAsked(undefined);
              toast({ title: t("deletedForever") });
            },
          })
        }
        onClose={() => setAsked(undefined)}
        onClosed={focusList}
      />
    </div>
  );
}
