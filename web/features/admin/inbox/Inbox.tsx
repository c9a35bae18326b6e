import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useFind } from "../../../lib/browser/use-find.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { paths } from "../../../paths.ts";
import { Empty } from "../../../ui/Empty.tsx";
import { SearchField } from "../../../ui/SearchField.tsx";
import { SelectField } from "../../../ui/SelectField.tsx";
import { DeskList } from "../DeskTable.tsx";
import { momentText } from "../desk-text.ts";
import { Mark } from "../Facts.tsx";
import { ROW_LINK } from "../Shortcuts.tsx";
import { useChoices } from "../use-choices.ts";
import { inboxQuery, STATES } from "./inbox.queries.ts";

/** Messages and reports, with a search and filters for state, kind and assignee. */
export function Inbox() {
  const { t, i18n } = useTranslation(["adminInbox", "reports"]);
  const { text, find, setText } = useFind();
  const [choices, choose] = useChoices(["state", "kind", "assignee"]);
  const rows = useInfiniteQuery(inboxQuery(supabase, find, choices));
  return (
    <div className="grid gap-5">
      <SearchField label={t("find")} value={text} onChange={setText} className="max-w-xl" />
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        <SelectField
          label={t("state")}
          value={choices.state}
          onChange={({ target }) => choose("state", target.value)}
          className="max-sm:col-span-2"
          options={[
            ["", t("unsettled")],
            ...STATES.map((state) => [state, t(`states.${state}`)] as const),
            ["all", t("all")],
          ]}
        />
        <SelectField
          label={t("kind")}
          value={choices.kind}
          onChange={({ target }) => choose("kind", target.value)}
          options={[
            ["", t("all")],
            ["message", t("kinds.message")],
            ["report", t("kinds.report")],
          ]}
        />
        <SelectField
          label={t("assignee")}
          value={choices.assignee}
          onChange={({ target }) => choose("assignee", target.value)}
          options={[
            ["", t("all")],
            ["me", t("mine")],
            ["nobody", t("nobody")],
          ]}
        />
      </div>
      <DeskList
        pages={rows}
        empty={<Empty picture="done" title={t("empty.title")} text={t("empty.text")} />}
        caption={t("title")}
        keyOf={({ id }) => id}
        columns={[
          {
            head: t("subject"),
            cell: ({ id, kind, subject }) => (
              <>
                <Link to={paths.admin("inbox", id)} {...ROW_LINK}>
                  {kind === "report" ? t(`reports:reasons.${subject}` as "reports:reasons.other") : subject}
                </Link>
                <span className="block font-normal text-ink-soft">{t(`kinds.${kind}`)}</span>
              </>
            ),
          },
          { head: t("sender"), cell: ({ sender }) => sender || "–" },
          {
            head: t("state"),
            cell: ({ state }) => (
              <span className="whitespace-nowrap">
                {state === "new" ? <Mark>{t("states.new")}</Mark> : t(`states.${state}`)}
              </span>
            ),
          },
          { head: t("assignee"), cell: ({ assignee_name }) => assignee_name || "–" },
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
