import { useQuery } from "@tanstack/react-query";
import { HardDrive, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { percentUsed, sizeText } from "../../../shared/storage.ts";
import { lapsedPlanQuery, useSubscription } from "../../data/plans.queries.ts";
import { type StorageUse, storageUseQuery } from "../../data/storage.queries.ts";
import { tabStorage } from "../../lib/browser/storage.ts";
import { dateText, localeOf } from "../../lib/formatting/locale.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { paths } from "../../paths.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { reserveRoomBelow } from "../../ui/room-below.ts";
import { dismiss, isDismissed, type StorageNotice, storageNotice } from "./storage-notice.ts";

/** Warns the signed-in person, a memory's owner, when their storage is nearly full. */
export default function StorageNotices() {
  const { id: userId } = useUser();
  const { t } = useTranslation("plans");
  const { data: stats } = useQuery(storageUseQuery(supabase, userId));
  const { details } = useSubscription(supabase, userId);
  const [dismissed, setDismissed] = useState<StorageNotice>();
  const notice = stats && storageNotice(stats.totalSize, stats.maxStorage);
  if (!notice || notice === dismissed || isDismissed(notice, tabStorage)) return null;
  return (
    // Sticky at the page's end, so that nothing moves when it appears.
    <aside
      ref={reserveRoomBelow}
      aria-label={t("notice.region")}
      data-foot
      className="sticky bottom-0 z-10 border-t border-line bg-amber-wash motion-safe:animate-fade-in"
    >
      <div className="page-width flex items-center gap-3 py-1 sm:gap-4">
        <HardDrive aria-hidden className="size-5 shrink-0 max-sm:hidden" />
        <p className="grow py-2 leading-snug">
          {notice === "over" && details?.has_subscription === false ? (
            <OverFreePlan userId={userId} stats={stats} />
          ) : (
            <Level notice={notice} stats={stats} />
          )}
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

/** The warning for a full free plan. If an earlier plan has ended, the warning names that plan. */
function OverFreePlan({ userId, stats }: { userId: string; stats: StorageUse }) {
  const { t, i18n } = useTranslation("plans");
  const { data: lapsed } = useQuery(lapsedPlanQuery(supabase, userId));
  if (!lapsed) return <Level notice="over" stats={stats} />;
  const date = dateText(lapsed.expires_at, localeOf(i18n.language));
  return (
    <>
      {t("notice.lapsed", { plan: lapsed.name, date })} <Link to={paths.plans()}>{t("notice.renew")}</Link>
    </>
  );
}

function Level({ notice, stats: { totalSize, maxStorage } }: { notice: StorageNotice; stats: StorageUse }) {
  const { t, i18n } = useTranslation("plans");
  const values = {
    percent: percentUsed(totalSize, maxStorage),
    left: sizeText(Math.max(0, maxStorage - totalSize), localeOf(i18n.language)),
  };
  return (
    <>
      {t(`notice.${notice}`, values)} <Link to={paths.dashboard()}>{t("notice.see")}</Link>
    </>
  );
}
