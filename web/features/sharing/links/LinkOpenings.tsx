import { useQuery } from "@tanstack/react-query";
import { Monitor, Smartphone, Tablet } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { localeOf } from "../../../lib/formatting/locale.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { Button } from "../../../ui/Button.tsx";
import { Problem } from "../../../ui/Problem.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { hourOf } from "./link-state.ts";
import { openingsQuery } from "./links.queries.ts";

const AT_FIRST = 8;
const icons = { phone: Smartphone, tablet: Tablet, computer: Monitor, "": Monitor };

/** When a link was opened: the hour, the kind of device, and who, where they were signed in. */
export function LinkOpenings({ linkId }: { linkId: string }) {
  const { t, i18n } = useTranslation("sharing");
  const openings = useQuery(openingsQuery(supabase, linkId));
  const [all, setAll] = useState(false);
  if (openings.isPending) return <Skeleton className="h-24" />;
  if (openings.isError) return <Problem error={new Error(t("opened.failed"))} retry={openings.refetch} />;
  if (openings.data.length === 0) return <p className="text-ink-soft">{t("opened.empty")}</p>;
  const shown = all ? openings.data : openings.data.slice(0, AT_FIRST);
  return (
    <>
      <ul className="grid gap-1">
        {shown.map(({ opened_at, times, device, person }) => {
          const Icon = icons[device];
          return (
            <li
              key={`${opened_at} ${device} ${person}`}
              className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3 border-b border-line py-2 last:border-0"
            >
              <Icon aria-hidden className="size-5 text-ink-soft" />
              <span className="grid sm:flex sm:flex-wrap sm:gap-x-3">
                <span>{hourOf(new Date(opened_at), localeOf(i18n.language))}</span>
                <span className="text-sm text-ink-soft sm:text-base">
                  {person ?? t(`opened.${device || "unknown"}`)}
                </span>
              </span>
              <span className="text-sm text-ink-soft tabular-nums">{t("opened.inHour", { count: times })}</span>
            </li>
          );
        })}
      </ul>
      {shown.length < openings.data.length && (
        <Button variant="plain" size="small" className="justify-self-start" onClick={() => setAll(true)}>
          {t("opened.all", { count: openings.data.length })}
        </Button>
      )}
      <p className="text-sm text-ink-soft">{t("opened.note")}</p>
    </>
  );
}
