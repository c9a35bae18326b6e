import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { sizeText } from "../../../../shared/storage.ts";
import { localeOf } from "../../../lib/formatting/locale.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { Button } from "../../../ui/Button.tsx";
import { Panel } from "../../../ui/Panel.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { DeskProblem, DeskTable } from "../DeskTable.tsx";
import { Mark } from "../Facts.tsx";
import { ROW_LINK } from "../Shortcuts.tsx";
import { fileFailuresQuery, useRetryFile } from "./system.queries.ts";

/** Photos and videos that could not be prepared, which can be tried again, and those that still are. */
export function FileFailures() {
  const { t, i18n } = useTranslation("adminSystem");
  const failures = useQuery(fileFailuresQuery(supabase));
  const retry = useRetryFile(supabase);
  const locale = localeOf(i18n.language);
  const time = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  if (failures.isLoadingError) return <DeskProblem retry={failures.refetch} />;
  if (!failures.data) return <Skeleton className="h-32 rounded-3xl" />;
  const { files, given_up, retried } = failures.data;
  return (
    <Panel compact title={t("files.title")}>
      <p className="text-ink-soft">
        {files.length === 0 ? t("files.none") : t("files.counts", { givenUp: given_up, retried })}
      </p>
      {files.length > 0 && (
        <DeskTable
          caption={t("files.title")}
          rows={files}
          keyOf={({ object_id, job }) => `${object_id} ${job}`}
          columns={[
            {
              head: t("files.file"),
              cell: ({ mime_type, size }) => (
                <>
                  {mime_type}
                  <span className="block text-sm font-normal text-ink-soft">{sizeText(size, locale)}</span>
                </>
              ),
            },
            { head: t("jobs.job"), cell: ({ job }) => job },
            {
              head: t("jobs.state"),
              cell: ({ given_up_at }) => (
                <Mark tone={given_up_at ? "danger" : "plain"}>
                  {t(given_up_at ? "files.givenUp" : "files.retried")}
                </Mark>
              ),
            },
            { head: t("outbox.when"), cell: ({ failed_at }) => time.format(new Date(failed_at)) },
            { head: t("outbox.attempts"), align: "end", cell: ({ failures }) => failures },
            { head: t("outbox.error"), cell: ({ reason }) => reason },
            {
              head: t("files.again"),
              cell: (file) =>
                file.given_up_at ? (
                  <Button
                    size="small"
                    variant="quiet"
                    className="md:whitespace-nowrap"
                    {...ROW_LINK}
                    onClick={() =>
                      retry.mutate(file, {
                        onSuccess: () => toast({ title: t("files.retrying"), tone: "success" }),
                        onError: () => toast({ title: t("files.failed"), tone: "problem" }),
                      })
                    }
                  >
                    {t("files.retry")}
                  </Button>
                ) : (
                  "–"
                ),
            },
          ]}
        />
      )}
    </Panel>
  );
}
