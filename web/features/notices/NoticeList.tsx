import { useInfiniteQuery } from "@tanstack/react-query";
import {
  BookOpen,
  CalendarHeart,
  FileWarning,
  HardDrive,
  Hourglass,
  Images,
  KeyRound,
  LockKeyhole,
  type LucideIcon,
  MessageCircle,
  Sparkles,
  UserCheck,
  UserX,
} from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useMinute } from "../../lib/browser/use-minute.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { Thumbnail } from "../../media/Thumbnail.tsx";
import { useThumbnails } from "../../media/use-thumbnails.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Empty } from "../../ui/Empty.tsx";
import { FAR_ROW } from "../../ui/far-row.ts";
import { LoadMore } from "../../ui/LoadMore.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { byDay, dayName, type Notice, placeOf } from "./notice.ts";
import { noticesQuery, useMarkRead } from "./notices.queries.ts";
import { useNoticeText } from "./use-notice-text.ts";

interface NoticeListProps {
  userId: string;
  /** Called when a notice's link is opened. */
  onOpen?: () => void;
}

/** Renders a person's notices grouped by day, newest first. */
export function NoticeList({ userId, onOpen }: NoticeListProps) {
  const { t, i18n } = useTranslation("notices");
  const now = useMinute();
  const notices = useInfiniteQuery(noticesQuery(supabase, userId));
  const pages = notices.data?.pages;
  const pictured = useMemo(() => (pages ?? []).flat().flatMap(({ media }) => media ?? []), [pages]);
  const thumbnail = useThumbnails("notices", pictured);
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
  if (notices.isLoadingError) return <Problem error={new Error(t("failed"))} retry={notices.refetch} />;
  const all = notices.data.pages.flat();
  if (all.length === 0) return <Empty picture="notices" title={t("empty")} text={t("emptyText")} />;
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
                thumbnail={notice.media ? thumbnail(notice.media) : undefined}
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

const icons: Record<Notice["kind"], LucideIcon> = {
  comment: MessageCircle,
  answer: MessageCircle,
  mention: MessageCircle,
  added: Images,
  story: BookOpen,
  held: Hourglass,
  accepted: UserCheck,
  declined: UserX,
  offered: KeyRound,
  "offer-declined": KeyRound,
  "taken-over": KeyRound,
  revealed: Sparkles,
  "request-done": UserCheck,
  "request-declined": UserX,
  locked: LockKeyhole,
  "storage-75": HardDrive,
  "storage-90": HardDrive,
  "storage-full": HardDrive,
  "file-lost": FileWarning,
  birthday: CalendarHeart,
  passing: CalendarHeart,
  event: CalendarHeart,
};

interface NoticeLineProps {
  notice: Notice;
  /** The URL of its photo's small picture; undefined without a photo and while loading. */
  thumbnail: string | undefined;
  onOpen: () => void;
}

/** Renders a notice as a link with the person, event, memory, time and photo. */
function NoticeLine({ notice, thumbnail, onOpen }: NoticeLineProps) {
  const { t, i18n } = useTranslation("notices");
  const say = useNoticeText();
  const Icon = icons[notice.kind];
  const unread = notice.read_at === null;
  const time = new Intl.DateTimeFormat(localeOf(i18n.language), { timeStyle: "short" });
  return (
    <li className={FAR_ROW}>
      <Link
        to={placeOf(notice)}
        onClick={onOpen}
        className="flex min-h-14 items-start gap-3 rounded-2xl px-3 py-3 text-ink no-underline transition-colors duration-200 ease-out hover:bg-wash"
      >
        {notice.actor_name ? (
          <Avatar name={notice.actor_name} className="size-11" />
        ) : (
          <span aria-hidden className="grid size-11 shrink-0 place-content-center rounded-full bg-wash text-deep">
            <Icon className="size-5" />
          </span>
        )}
        <span className="grid min-w-0 grow gap-0.5">
          <span className={classNames("leading-snug wrap-anywhere", unread && "font-semibold")}>
            {say(notice)}
            {unread && <VisuallyHidden>{` (${t("unread")})`}</VisuallyHidden>}
          </span>
          <span className="text-sm text-ink-soft wrap-anywhere">
            {notice.memories?.person_name && (
              <>
                <bdi>{notice.memories.person_name}</bdi> ·{" "}
              </>
            )}
            <time dateTime={notice.created_at}>{time.format(new Date(notice.created_at))}</time>
          </span>
        </span>
        {notice.media && <Thumbnail media={notice.media} url={thumbnail} className="size-12" />}
        {unread && <span aria-hidden className="mt-2 size-2.5 shrink-0 rounded-full bg-deep" />}
      </Link>
    </li>
  );
}
