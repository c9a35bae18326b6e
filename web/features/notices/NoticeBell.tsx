import { useQuery } from "@tanstack/react-query";
import { Bell } from "lucide-react";
import { Popover } from "radix-ui";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { setBadge } from "../../lib/push/app-badge.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { MarkAllRead } from "./MarkAllRead.tsx";
import { NoticeList } from "./NoticeList.tsx";
import type { Notice } from "./notice.ts";
import { settingsQuery, useSaveSettings } from "./notice-settings.queries.ts";
import { unreadQuery, useNoticesLive } from "./notices.queries.ts";
import { useNoticeText } from "./use-notice-text.ts";

const MOST = 99;

/** Renders the notices in the navigation: a panel on wide screens, a link to their page on phones. */
export default function NoticeBell({ userId }: { userId: string }) {
  const { t } = useTranslation("notices");
  const [open, setOpen] = useState(false);
  const [said, setSaid] = useState("");
  const say = useNoticeText();
  const unread = useQuery(unreadQuery(supabase, userId)).data ?? 0;
  useEffect(() => setBadge(unread), [unread]);
  useSyncNoticeLocale(userId);
  useNoticesLive(supabase, userId, (row) => setSaid(t("new", { text: say(row as unknown as Notice) })));
  const label = unread > 0 ? t("bellWith", { count: unread }) : t("bell");
  const sign = (
    <>
      <Bell aria-hidden className="size-6" />
      {unread > 0 && (
        <span
          aria-hidden
          className="absolute -end-0.5 top-0 grid min-w-5.5 place-content-center rounded-full bg-deep px-1 text-sm leading-5.5 font-semibold text-on-deep tabular-nums"
        >
          {unread > MOST ? `${MOST}+` : unread}
        </span>
      )}
    </>
  );
  return (
    <>
      <Link
        to={paths.notices()}
        aria-label={label}
        className="relative inline-grid size-11 place-content-center rounded-full text-ink sm:hidden"
      >
        {sign}
      </Link>
      <Popover.Root open={open} onOpenChange={setOpen}>
        <Popover.Trigger asChild>
          <IconButton label={label} className="relative max-sm:hidden">
            {sign}
          </IconButton>
        </Popover.Trigger>
        <Popover.Content
          align="end"
          sideOffset={8}
          collisionPadding={12}
          aria-label={t("title")}
          className="z-50 grid grid-cols-1 max-h-[min(38rem,var(--radix-popover-content-available-height))] w-[min(26rem,calc(100vw-1.5rem))] grid-rows-[auto_minmax(0,1fr)_auto] rounded-3xl border border-line bg-raised text-ink shadow-lifted outline-none motion-safe:animate-appear"
        >
          <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line py-2 ps-5 pe-2">
            <p className="font-serif text-xl">{t("title")}</p>
            <MarkAllRead userId={userId} />
          </div>
          <div className="overflow-y-auto overscroll-contain px-2 py-3">
            <NoticeList userId={userId} onOpen={() => setOpen(false)} />
          </div>
          <div className="flex flex-wrap justify-center gap-1 border-t border-line p-2">
            <Button asChild variant="plain" size="small">
              <Link to={paths.notices()} onClick={() => setOpen(false)}>
                {t("all")}
              </Link>
            </Button>
            <Button asChild variant="plain" size="small">
              <Link to={paths.noticeSettings()} onClick={() => setOpen(false)}>
                {t("settings.open")}
              </Link>
            </Button>
          </div>
        </Popover.Content>
      </Popover.Root>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  );
}

/** Stores the browser's time zone and language on the server, which uses them in emails. */
function useSyncNoticeLocale(userId: string) {
  const { i18n } = useTranslation();
  const { data } = useQuery(settingsQuery(supabase, userId));
  const { mutate, isPending, isError } = useSaveSettings(supabase, userId);
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const language = i18n.resolvedLanguage === "it" ? "it" : "en";
  const differs = data !== undefined && (data.time_zone !== time_zone || data.language !== language);
  useEffect(() => {
    // A failure is retried at the next visit.
    if (differs && !isPending && !isError) mutate({ time_zone, language });
  }, [differs, isPending, isError, mutate, time_zone, language]);
}
