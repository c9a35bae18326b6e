import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useFind } from "../../../lib/browser/use-find.ts";
import { dateText, localeOf } from "../../../lib/formatting/locale.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { paths } from "../../../paths.ts";
import { Empty } from "../../../ui/Empty.tsx";
import { SearchField } from "../../../ui/SearchField.tsx";
import { SegmentedControl } from "../../../ui/SegmentedControl.tsx";
import { DeskList } from "../DeskTable.tsx";
import { Mark } from "../Facts.tsx";
import { ROW_LINK } from "../Shortcuts.tsx";
import { useChoices } from "../use-choices.ts";
import { KINDS, type Kind, peopleQuery } from "./people.queries.ts";

/** All accounts, with a search by name, address and id. */
export function People() {
  const { t, i18n } = useTranslation("adminPeople");
  const { text, find, setText } = useFind();
  const [choices, choose] = useChoices(["kind"]);
  const kind: Kind = KINDS.find((one) => one === choices.kind) ?? "all";
  const rows = useInfiniteQuery(peopleQuery(supabase, find, kind));
  const day = (moment: string | null) => (moment ? dateText(moment, localeOf(i18n.language)) : "–");
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-center gap-4">
        <SearchField label={t("find")} value={text} onChange={setText} className="min-w-0 grow basis-72" />
        <SegmentedControl
          label={t("kind.label")}
          value={kind}
          onChange={(next) => choose("kind", next === "all" ? "" : next)}
          options={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
        />
      </div>
      <DeskList
        pages={rows}
        empty={<Empty picture="signpost" title={t("empty.title")} text={t("empty.text")} />}
        caption={t("title")}
        keyOf={({ id }) => id}
        columns={[
          {
            head: t("columns.account"),
            cell: ({ id, email, full_name, suspended, role }) => (
              <>
                <Link to={paths.admin("people", id)} {...ROW_LINK}>
                  {full_name || email || id}
                </Link>
                {full_name && email && <span className="block font-normal text-ink-soft">{email}</span>}
                {(suspended || role) && (
                  <span className="mt-1 flex flex-wrap gap-2 max-md:justify-end">
                    {suspended && <Mark tone="danger">{t("suspended")}</Mark>}
                    {role && <Mark>{t(`roles.${role}`)}</Mark>}
                  </span>
                )}
              </>
            ),
          },
          { head: t("columns.plan"), cell: ({ plan }) => plan },
          { head: t("columns.since"), cell: ({ created_at }) => day(created_at) },
          { head: t("columns.lastSeen"), cell: ({ last_sign_in_at }) => day(last_sign_in_at) },
        ]}
      />
    </div>
  );
}
