import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { saveFile } from "../../lib/browser/save-file.ts";
import { useMinute } from "../../lib/browser/use-minute.ts";
import { price } from "../../lib/formatting/currency.ts";
import { dateText, localeOf } from "../../lib/formatting/locale.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { unwrap } from "../../lib/request/unwrap.ts";
import { Button } from "../../ui/Button.tsx";
import { Panel } from "../../ui/Panel.tsx";
import { toast } from "../../ui/toasts.tsx";
import type { Commission } from "./affiliates.queries.ts";
import { csvLines } from "./csv.ts";

const AT_ONCE = 20;

/** Purchases with commissions, newest first. Buyers are not named. */
export function CommissionList({
  affiliateId,
  commissions,
}: {
  affiliateId: string;
  commissions: readonly Commission[];
}) {
  const { t } = useTranslation("affiliates");
  const [count, setShown] = useState(AT_ONCE);
  const file = useMutation({
    mutationFn: () => commissionFile(supabase, affiliateId),
    onSuccess: (csv) => saveFile(csv, "skies-commissions.csv"),
    onError: () => toast({ title: t("failed"), tone: "problem" }),
  });
  if (commissions.length === 0) {
    return (
      <Panel title={t("commissions.title")}>
        <div>
          <p className="font-semibold">{t("commissions.empty")}</p>
          <p className="text-ink-soft">{t("commissions.emptyText")}</p>
        </div>
      </Panel>
    );
  }
  return (
    <Panel
      title={t("commissions.title")}
      actions={
        <Button variant="quiet" size="small" aria-busy={file.isPending} onClick={() => file.mutate()}>
          <Download aria-hidden className="size-5" />
          {t("commissions.csv")}
        </Button>
      }
    >
      <ul className="m-0 grid list-none p-0">
        {commissions.slice(0, count).map((commission) => (
          <CommissionLine key={commission.id} commission={commission} />
        ))}
      </ul>
      {commissions.length > count && (
        <Button variant="quiet" className="justify-self-center" onClick={() => setShown(count + AT_ONCE)}>
          {t("commissions.more")}
        </Button>
      )}
    </Panel>
  );
}

function CommissionLine({ commission }: { commission: Commission }) {
  const { t, i18n } = useTranslation("affiliates");
  const { currency, base, amount, earned_at } = commission;
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-6 border-t border-line py-3 sm:grid-cols-[11rem_1fr_2fr_auto] sm:items-baseline">
      <span>{dateText(earned_at, localeOf(i18n.language))}</span>
      <span className="text-ink-soft tabular-nums max-sm:row-start-2">
        {t("commissions.base")} {price(base, currency)}
      </span>
      <span className="text-sm text-ink-soft max-sm:col-span-2 max-sm:row-start-3">
        <State commission={commission} />
      </span>
      <span className="text-end font-semibold tabular-nums max-sm:col-start-2 max-sm:row-start-1">
        <span className="sr-only">{t("commissions.amount")} </span>
        {price(amount, currency)}
      </span>
    </li>
  );
}

/** A commission's state (held, reversed, payable or waiting), and the part that a refund reversed. */
function State({ commission }: { commission: Commission }) {
  const { t, i18n } = useTranslation("affiliates");
  const now = useMinute();
  const { currency, amount, reversed, held: isHeld, payable_at } = commission;
  const date = dateText(payable_at, localeOf(i18n.language));
  if (isHeld) return t("commissions.held");
  if (amount === 0) return t("commissions.reversed");
  const when = new Date(payable_at) <= now ? t("commissions.payable") : t("commissions.waits", { date });
  return reversed > 0 ? `${when}; ${t("commissions.partly", { amount: price(reversed, currency) })}` : when;
}

const PAGE = 500;
const NAMES = ["date", "currency", "paid", "earned", "reversed", "amount", "payable_from", "state"];

/** All of the affiliate's commissions as a CSV file, loaded page by page. */
async function commissionFile(client: SupabaseClient, affiliateId: string): Promise<Blob> {
  const parts: string[] = [];
  for await (const line of csvLines(NAMES, commissions(client, affiliateId))) parts.push(line);
  return new Blob(parts, { type: "text/csv;charset=utf-8" });
}

async function* commissions(client: SupabaseClient, affiliateId: string): AsyncGenerator<Commission> {
  for (let from = 0; ; from += PAGE) {
    const data = await client
      .from("commissions")
      .select("id, currency, base, earned, reversed, amount, held, earned_at, payable_at")
      .eq("affiliate_id", affiliateId)
      .order("earned_at")
      .order("id")
      .range(from, from + PAGE - 1)
      .then(unwrap("Failed to load commissions"));
    yield* data;
    if (data.length < PAGE) return;
  }
}
