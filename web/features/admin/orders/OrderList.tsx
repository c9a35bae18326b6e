import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useFind } from "../../../lib/browser/use-find.ts";
import { price } from "../../../lib/formatting/currency.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { paths } from "../../../paths.ts";
import { Empty } from "../../../ui/Empty.tsx";
import { SearchField } from "../../../ui/SearchField.tsx";
import { SelectField } from "../../../ui/SelectField.tsx";
import { TextField } from "../../../ui/TextField.tsx";
import { DeskList } from "../DeskTable.tsx";
import { momentText } from "../desk-text.ts";
import { ROW_LINK } from "../Shortcuts.tsx";
import { useChoices } from "../use-choices.ts";
import { deskOrdersQuery } from "./orders.queries.ts";

const STATUSES = ["pending", "paid", "failed", "expired", "refunded", "disputed"] as const;

/** All orders, with a search by number and address, and filters for status, currency and date. */
export function OrderList() {
  const { t, i18n } = useTranslation("adminOrders");
  const { text, find, setText } = useFind();
  const [choices, choose] = useChoices(["status", "currency", "from", "until"]);
  const rows = useInfiniteQuery(deskOrdersQuery(supabase, find, choices));
  return (
    <div className="grid gap-5">
      <div className="grid gap-4">
        <SearchField label={t("find")} value={text} onChange={setText} className="max-w-xl" />
        <div className="grid grid-cols-2 gap-3 xl:grid-cols-4">
          <SelectField
            label={t("status")}
            value={choices.status}
            onChange={({ target }) => choose("status", target.value)}
            options={[["", t("all")], ...STATUSES.map((status) => [status, t(`statuses.${status}`)] as const)]}
          />
          <SelectField
            label={t("currency")}
            value={choices.currency}
            onChange={({ target }) => choose("currency", target.value)}
            options={[
              ["", t("all")],
              ["GBP", "GBP"],
              ["EUR", "EUR"],
            ]}
          />
          {(["from", "until"] as const).map((name) => (
            <TextField
              key={name}
              type="date"
              className="min-w-0 max-sm:col-span-2"
              label={t(name)}
              value={choices[name]}
              onChange={({ target }) => choose(name, target.value)}
            />
          ))}
        </div>
      </div>
      <DeskList
        pages={rows}
        empty={<Empty picture="orders" title={t("empty")} text={t("emptyText")} />}
        caption={t("title")}
        keyOf={({ id }) => id}
        columns={[
          {
            head: t("number"),
            cell: ({ id, number }) => (
              <Link
                to={paths.admin("orders", id)}
                {...ROW_LINK}
                className="inline-flex min-h-11 items-center md:min-h-0"
              >
                {number}
              </Link>
            ),
          },
          { head: t("buyer"), cell: ({ email }) => email || "–" },
          {
            head: t("status"),
            cell: ({ status, refunded }) =>
              t(refunded > 0 && status === "paid" ? "statuses.partly" : `statuses.${status}`),
          },
          { head: t("total"), align: "end", cell: ({ total, currency }) => price(total, currency) },
          {
            head: t("date"),
            align: "end",
            cell: ({ created_at }) => <time dateTime={created_at}>{momentText(created_at, i18n.language)}</time>,
          },
        ]}
      />
    </div>
  );
}
