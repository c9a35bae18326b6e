import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { localeOf } from "../../../lib/formatting/locale.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { Button } from "../../../ui/Button.tsx";
import { Panel } from "../../../ui/Panel.tsx";
import { SegmentedControl } from "../../../ui/SegmentedControl.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { DeskList } from "../DeskTable.tsx";
import { ROW_LINK } from "../Shortcuts.tsx";
import { useChoices } from "../use-choices.ts";
import { OUTBOX_KINDS, outboxQuery, type SystemState, useRetryMessage } from "./system.queries.ts";

/** Emails and text messages that were given up, each of which can be sent again, and those that wait. */
export function Outbox({ counts }: { counts: SystemState["outbox"] }) {
  const { t, i18n } = useTranslation("adminSystem");
  const [choices, choose] = useChoices(["outbox"]);
  const kind = choices.outbox === "waiting" ? "waiting" : "dead";
  const rows = useInfiniteQuery(outboxQuery(supabase, kind));
  const retry = useRetryMessage(supabase);
  const time = new Intl.DateTimeFormat(localeOf(i18n.language), { dateStyle: "medium", timeStyle: "short" });
  return (
    <Panel
      compact
      title={t("outbox.title")}
      actions={
        <SegmentedControl
          label={t("outbox.title")}
          value={kind}
          onChange={(next) => choose("outbox", next === "dead" ? "" : next)}
          options={OUTBOX_KINDS.map((value) => ({ value, label: `${t(`outbox.${value}`)} (${counts[value]})` }))}
        />
      }
    >
      <DeskList
        pages={rows}
        short
        empty={<p className="text-ink-soft">{t(`outbox.none.${kind}`)}</p>}
        caption={t("outbox.title")}
        keyOf={({ id }) => id}
        columns={[
          {
            head: t("outbox.to"),
            cell: ({ recipient, template, language }) => (
              <>
                {recipient}
                <span className="block text-sm font-normal text-ink-soft">
                  {template}, {language}
                </span>
              </>
            ),
          },
          { head: t("outbox.when"), cell: ({ due_at }) => time.format(new Date(due_at)) },
          { head: t("outbox.attempts"), align: "end", cell: ({ attempts }) => attempts },
          { head: t("outbox.error"), cell: ({ last_error }) => last_error ?? "–" },
          {
            head: t("outbox.again"),
            cell: ({ id, expired }) =>
              expired ? (
                <span className="text-ink-soft">{t("outbox.expired")}</span>
              ) : (
                <Button
                  size="small"
                  variant="quiet"
                  className="whitespace-nowrap"
                  {...ROW_LINK}
                  onClick={() =>
                    retry.mutate(id, {
                      onSuccess: () => toast({ title: t("outbox.retried"), tone: "success" }),
                      onError: () => toast({ title: t("outbox.failed"), tone: "problem" }),
                    })
                  }
                >
                  {t("outbox.send")}
                </Button>
              ),
          },
        ]}
      />
    </Panel>
  );
}
