import { useQuery } from "@tanstack/react-query";
import { HardDrive, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { percentUsed, sizeText } from "../../../shared/storage.ts";
import { lapsedPlanQuery, useSubscription } from "../../data/plans.queries.ts";
import { type StorageUse, storageUseQuery } from "../../data/storage.queries.ts";
import { tabStorage } from "../../lib/browser/storage.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { paths } from "../../paths.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { dismiss, isDismissed, type StorageNotice, storageNotice } from "./storage-notice.ts";

/** Warns a memory's owner when their storage is nearly full. */
export default function StorageNotices({ memory }: { memory: { user_id: string } }) {
  const user = useUser();
  return memory.user_id === user.id ? <Notice userId={user.id} /> : null;
}

function Notice({ userId }: { userId: string }) {
  const { t } = useTranslation("plans");
  const { data: stats } = useQuery(storageUseQuery(supabase, userId));
  const [dismissed, setDismissed] = useState<StorageNotice>();
  const notice = stats && storageNotice(stats.totalSize, stats.maxStorage);
  if (!notice || notice === dismissed || isDismissed(notice, tabStorage)) return null;
  return (
    // Sticky at the page's end, so that nothing moves when it appears.
    <aside
      aria-label={t("notice.region")}
      data-foot
      className="sticky bottom-0 z-10 border-t border-line bg-amber-wash motion-safe:animate-fade-in"
    >
      <div className="page-width flex items-center gap-3 py-1 sm:gap-4">
        <HardDrive aria-hidden className="size-5 shrink-0 max-sm:hidden" />
        <p className="grow py-2 leading-snug">
          <Said userId={userId} notice={notice} stats={stats} /> <Link to={paths.dashboard()}>{t("notice.see")}</Link>
        </p>
        <IconButton
          icon={X}
          label={t("notice.dismiss")}
          onClick={() => {
            dismiss(notice, tabStorage);
            setDismissed(notice);
          }}
        />
      </div>
    </aside>
  );
}

function Said({ userId, notice, stats }: { userId: string; notice: StorageNotice; stats: StorageUse }) {
  const { t, i18n } = useTranslation("plans");
  const locale = localeOf(i18n.language);
  const { details } = useSubscription(supabase, userId);
  const free = details?.has_subscription === false;
  const lapsed = useQuery({ ...lapsedPlanQuery(supabase, userId), enabled: notice === "over" && free }).data;
  const { totalSize, maxStorage } = stats;
  if (notice === "over" && free && lapsed) {
    const date = new Intl.DateTimeFormat(locale, { dateStyle: "long" }).format(new Date(lapsed.expires_at));
    return t("notice.lapsed", { plan: lapsed.name, date });
  }
  const values = {
    percent: percentUsed(totalSize, maxStorage),
    left: sizeText(Math.max(0, maxStorage - totalSize), locale),
  };
  return t(`notice.${notice}`, values);
}
