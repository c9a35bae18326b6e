import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Catalogue } from "../../../data/catalogue.queries.ts";
import { useFind } from "../../../lib/browser/use-find.ts";
import { dateText, localeOf } from "../../../lib/formatting/locale.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { Button } from "../../../ui/Button.tsx";
import { Empty } from "../../../ui/Empty.tsx";
import { SearchField } from "../../../ui/SearchField.tsx";
import { DeskList } from "../DeskTable.tsx";
import { ROW_LINK } from "../Shortcuts.tsx";
import { type UsedVoucher, vouchersQuery } from "./catalogue.queries.ts";
import { VoucherForm } from "./VoucherForm.tsx";

/** Vouchers with their discount and use; created and edited here. */
export function Vouchers({ catalogue }: { catalogue: Catalogue }) {
  const { t, i18n } = useTranslation("adminCatalogue");
  const { text, find, setText } = useFind();
  const [open, setOpen] = useState<UsedVoucher | "new">();
  const rows = useInfiniteQuery(vouchersQuery(supabase, find));
  const close = () => setOpen(undefined);
  return (
    <section aria-labelledby="vouchers" className="grid gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="vouchers" className="font-serif text-2xl">
          {t("vouchers")}
        </h2>
        <Button onClick={() => setOpen("new")}>{t("newVoucher")}</Button>
      </div>
      {open && (
        <VoucherForm
          key={open === "new" ? open : open.id}
          catalogue={catalogue}
          {...(open !== "new" && { voucher: open })}
          onDone={close}
        />
      )}
      <SearchField label={t("findCode")} value={text} onChange={setText} className="max-w-xl" />
      <DeskList
        pages={rows}
        short
        empty={<Empty picture="cart" title={t("noVouchers")} text={t("noVouchersText")} />}
        caption={t("vouchers")}
        keyOf={({ id }) => id}
        columns={[
          {
            head: t("code"),
            cell: (row) => (
              <button
                type="button"
                {...ROW_LINK}
                onClick={() => setOpen(row)}
                className="min-h-11 cursor-pointer font-semibold text-deep underline md:min-h-0"
              >
                {row.code}
              </button>
            ),
          },
          { head: t("takes"), cell: ({ percentage }) => `${percentage}%` },
          {
            head: t("state"),
            cell: ({ active, ends_at }) =>
              !active
                ? t("off")
                : ends_at === null
                  ? t("on")
                  : t("until", { date: dateText(ends_at, localeOf(i18n.language)) }),
          },
          {
            head: t("used"),
            align: "end",
            cell: ({ paid, reserved, max_uses }) =>
              t(reserved > 0 ? "usedReserved" : "usedOf", { paid, reserved, most: max_uses ?? "∞" }),
          },
        ]}
      />
    </section>
  );
}
