import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useFind } from "../../../lib/browser/use-find.ts";
import { dateText, localeOf } from "../../../lib/formatting/locale.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { Empty } from "../../../ui/Empty.tsx";
import { LoadMore } from "../../../ui/LoadMore.tsx";
import { Problem } from "../../../ui/Problem.tsx";
import { SearchField } from "../../../ui/SearchField.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { DeskTable } from "../DeskTable.tsx";
import { ROW_LINK } from "../Shortcuts.tsx";
import { type AuditRow, auditQuery } from "./audit.queries.ts";

/** Everything staff did, searchable, each row with what it changed. */
export function AuditLog() {
  const { t, i18n } = useTranslation("admin");
  const { text, find, setText } = useFind();
  const rows = useInfiniteQuery(auditQuery(supabase, find));
  return (
    <div className="grid gap-5">
      <SearchField label={t("audit.find")} value={text} onChange={setText} className="max-w-xl" />
      {rows.isPending && <Skeleton className="h-96 rounded-3xl" />}
      {rows.isError && !rows.data && <Problem error={new Error(t("failed"))} retry={rows.refetch} />}
      {rows.data?.length === 0 && <Empty picture="done" title={t("audit.empty")} text={t("audit.emptyText")} />}
      {rows.data && rows.data.length > 0 && (
        <DeskTable
          caption={t("sections.audit")}
          rows={rows.data}
          keyOf={({ id }) => id}
          columns={[
            { head: t("audit.what"), cell: (row) => <Change row={row} /> },
            { head: t("audit.who"), cell: ({ role, actor }) => <Actor role={role} actor={actor} /> },
            { head: t("audit.where"), cell: ({ address }) => address ?? "–" },
            {
              head: t("audit.when"),
              cell: ({ happened_at }) => (
                <time dateTime={happened_at}>
                  {dateText(happened_at, localeOf(i18n.language))}, {happened_at.slice(11, 16)} UTC
                </time>
              ),
            },
          ]}
        />
      )}
      <LoadMore pages={rows} />
    </div>
  );
}

const Actor = ({ role, actor }: Pick<AuditRow, "role" | "actor">) => (
  <span title={actor ?? undefined}>
    {role}
    {actor && <span className="ms-2 font-mono text-sm text-ink-soft">{actor.slice(0, 8)}</span>}
  </span>
);

/** What was done to what; unfolded, the values before and after. */
function Change({ row: { action, subject, before, after, reason } }: { row: AuditRow }) {
  const { t } = useTranslation("admin");
  return (
    <details className="text-start font-normal">
      <summary className="cursor-pointer" {...ROW_LINK}>
        <span className="font-semibold">{action}</span> <span className="font-mono text-sm">{subject}</span>
      </summary>
      <dl className="mt-2 mb-0 grid gap-x-4 gap-y-1 text-sm md:grid-cols-[auto_1fr]">
        {reason && <Value name={t("audit.reason")}>{reason}</Value>}
        {before !== null && <Value name={t("audit.before")}>{JSON.stringify(before)}</Value>}
        {after !== null && <Value name={t("audit.after")}>{JSON.stringify(after)}</Value>}
      </dl>
    </details>
  );
}

const Value = ({ name, children }: { name: string; children: string }) => (
  <div className="contents">
    <dt className="text-ink-soft">{name}</dt>
    <dd className="m-0 font-mono wrap-anywhere">{children}</dd>
  </div>
);
