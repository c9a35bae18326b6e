import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useMinute } from "../../lib/browser/use-minute.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { Empty } from "../../ui/Empty.tsx";
import { LoadMore } from "../../ui/LoadMore.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { NoticeLine } from "./NoticeLine.tsx";
import { byDay, dayName } from "./notice.ts";
import { noticesQuery, useMarkRead } from "./notices.queries.ts";

interface NoticeListProps {
  userId: string;
  /** Somebody follows one of them. */
  onOpen?: () => void;
}

/** All that somebody is told, by day, the newest first. */
export function NoticeList({ userId, onOpen }: NoticeListProps) {
  const { t, i18n } = useTranslation("notices");
  const now = useMinute();
  const notices = useInfiniteQuery(noticesQuery(supabase, userId));
  const markRead = useMarkRead(supabase, userId);
  if (notices.isPending) {
    return (
      <div className="grid gap-3 p-3">
        <Skeleton className="h-14" />
        <Skeleton className="h-14" />
        <Skeleton className="h-14" />
      </div>
    );
  }
  if (notices.isError && !notices.data) return <Problem error={new Error(t("failed"))} retry={notices.refetch} />;
  const all = notices.data.pages.flat();
  if (all.length === 0) return <Empty title={t("empty")} text={t("emptyText")} />;
  return (
    <div className="grid gap-5">
      {byDay(all).map(({ day, notices }) => (
        <section key={day} aria-labelledby={`notices-${day}`}>
          <h2
            id={`notices-${day}`}
            className="px-3 pb-1 font-sans text-sm font-semibold text-ink-soft first-letter:uppercase"
          >
            {dayName(day, now, localeOf(i18n.language))}
          </h2>
          <ul className="m-0 grid list-none gap-1 p-0">
            {notices.map((notice) => (
              <NoticeLine
                key={notice.id}
                notice={notice}
                onOpen={() => {
                  if (notice.read_at === null) markRead.mutate(notice.id);
                  onOpen?.();
                }}
              />
            ))}
          </ul>
        </section>
      ))}
      <LoadMore pages={notices} label={t("older")} />
    </div>
  );
}
