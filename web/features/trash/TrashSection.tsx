import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { sizeText } from "../../../shared/storage.ts";
import { storageQuery } from "../../data/storage.queries.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { Button } from "../../ui/Button.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { toast } from "../../ui/toasts.tsx";
import { ConfirmDeletion } from "./ConfirmDeletion.tsx";
import { DeletedList } from "./DeletedList.tsx";
import { countOf, trashQuery, useEmptyTrash, useTrashLive } from "./trash.queries.ts";

/** Renders the dashboard's section with items that were deleted within the last 30 days. */
export default function TrashSection() {
  const { t, i18n } = useTranslation("trash");
  const { id: userId } = useUser();
  useTrashLive(supabase, userId);
  const deleted = useInfiniteQuery(trashQuery(supabase, userId)).data?.pages;
  const storage = useQuery(storageQuery(supabase, userId)).data?.trash;
  const size = (bytes: number) => sizeText(bytes, localeOf(i18n.language));
  const { count, isMore } = countOf(deleted ?? []);
  const section = useRef<HTMLElement>(null);
  const { hash } = useLocation();
  const loaded = deleted !== undefined;
  useEffect(() => {
    if (loaded && hash === "#trash") section.current?.scrollIntoView();
  }, [loaded, hash]);
  return (
    <Panel
      ref={section}
      id="trash"
      title={t("title")}
      text={storage && storage.bytes > 0 ? t("textWithSize", { size: size(storage.bytes) }) : t("text")}
      actions={count > 0 && <EmptyTrash ofOthers={false} count={count} isMore={isMore} />}
      className="lg:col-span-2"
    >
      <DeletedList />
      {storage && storage.itemsOfOthers > 0 && (
        <div className="grid gap-3 rounded-2xl bg-wash p-4 sm:p-5">
          <p>
            {t(storage.bytesOfOthers > 0 ? "others.textWithSize" : "others.text", {
              count: storage.itemsOfOthers,
              size: size(storage.bytesOfOthers),
            })}
          </p>
          <EmptyTrash ofOthers count={storage.itemsOfOthers} />
        </div>
      )}
    </Panel>
  );
}

interface EmptyTrashProps {
  /**
   * Whether to delete the items that others deleted from the person's memories, instead of the person's own deletions.
   */
  ofOthers: boolean;
  count: number;
  /** Whether there are more items than `count`. */
  isMore?: boolean;
}

/** Renders the button that permanently deletes all items in the trash, after a confirmation. */
function EmptyTrash({ ofOthers, count, isMore = false }: EmptyTrashProps) {
  const { t } = useTranslation("trash");
  const [isAsking, setAsked] = useState(false);
  const empty = useEmptyTrash(supabase);
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        className="justify-self-start"
        onClick={() => {
          empty.reset();
          setAsked(true);
        }}
      >
        {t(ofOthers ? "deleteForever" : "emptyAll")}
      </Button>
      <ConfirmDeletion
        title={t(ofOthers ? "others.title" : "emptyTitle")}
        text={t(ofOthers ? "others.sure" : isMore ? "emptyMany" : "emptyText", { count })}
        confirm={t(ofOthers ? "deleteForever" : "emptyAll")}
        open={isAsking}
        deletion={empty}
        onConfirm={() =>
          empty.mutate(
            { ofOthers },
            {
              onSuccess: () => {
                setAsked(false);
                toast({ title: t("emptied") });
              },
            },
          )
        }
        onClose={() => setAsked(false)}
      />
    </>
  );
}
