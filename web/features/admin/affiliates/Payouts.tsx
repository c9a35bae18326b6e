import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { price } from "../../../lib/formatting/currency.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { Button } from "../../../ui/Button.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { DeskList } from "../DeskTable.tsx";
import { momentText } from "../desk-text.ts";
import { payoutsQuery, useUndoPayout } from "./affiliates.queries.ts";

/** Payouts, which can be voided if recorded by mistake. */
export function Payouts() {
  const { t, i18n } = useTranslation("adminAffiliates");
  const rows = useInfiniteQuery(payoutsQuery(supabase));
  const undo = useUndoPayout();
  return (
    <section aria-labelledby="payouts" className="grid gap-5">
      <h2 id="payouts" className="font-serif text-2xl">
        {t("payouts")}
      </h2>
      <DeskList
        pages={rows}
        short
        empty={<p className="text-ink-soft">{t("noPayouts")}</p>}
        caption={t("payouts")}
        keyOf={({ id }) => id}
        columns={[
          { head: t("affiliate"), cell: ({ affiliate }) => affiliate?.code ?? "–" },
          { head: t("amount"), align: "end", cell: ({ amount, currency }) => price(amount, currency) },
          { head: t("reference"), cell: ({ reference }) => reference || "–" },
          { head: t("date"), cell: ({ paid_at }) => momentText(paid_at, i18n.language) },
          {
            head: t("actions"),
            align: "end",
            cell: ({ id, amount, currency }) => (
              <Button
                size="small"
                variant="quiet"
                onClick={() =>
                  undo.mutate(id, {
                    onSuccess: () =>
                      toast({ tone: "success", title: t("undone", { amount: price(amount, currency) }) }),
                    onError: ({ message }) => toast({ tone: "problem", title: message }),
                  })
                }
              >
                {t("takeBack")}
              </Button>
            ),
          },
        ]}
      />
    </section>
  );
}
