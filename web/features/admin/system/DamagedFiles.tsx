import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { sizeText } from "../../../../shared/storage.ts";
import { localeOf } from "../../../lib/formatting/locale.ts";
import { serverNow } from "../../../lib/request/server-clock.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { Button } from "../../../ui/Button.tsx";
import { Panel } from "../../../ui/Panel.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { DeskProblem, DeskTable } from "../DeskTable.tsx";
import { Facts, Mark } from "../Facts.tsx";
import { type ReadBack, readBackQuery, useRetryReadBack } from "./system.queries.ts";

/** The round that reads stored files again, and the files whose bytes are not those that were uploaded. */
export function DamagedFiles() {
  const { t, i18n } = useTranslation("adminSystem");
  const readBack = useQuery(readBackQuery(supabase));
  const retry = useRetryReadBack(supabase);
  const locale = localeOf(i18n.language);
  const time = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  if (readBack.isLoadingError) return <DeskProblem retry={readBack.refetch} />;
  if (!readBack.data) return <Skeleton className="h-32 rounded-3xl" />;
  const { round, files, mending, lost } = readBack.data;
  return (
    <Panel
      compact
      title={t("readBack.title")}
      actions={
        files.length > 0 && (
          <Button
            size="small"
            variant="quiet"
            disabled={retry.isPending}
            onClick={() =>
              retry.mutate(undefined, {
                onSuccess: () => toast({ title: t("readBack.retrying"), tone: "success" }),
                onError: () => toast({ title: t("readBack.failed"), tone: "problem" }),
              })
            }
          >
            {t("readBack.retry")}
          </Button>
        )
      }
    >
      <p className="text-ink-soft">
        {files.length === 0 ? t(round ? "readBack.none" : "readBack.off") : t("readBack.counts", { mending, lost })}
      </p>
      {round && <Round round={round} />}
      {files.length > 0 && (
        <DeskTable
          caption={t("readBack.title")}
          rows={files}
          keyOf={({ object_id }) => object_id}
          columns={[
            {
              head: t("files.file"),
              cell: ({ object_id, bucket, mime_type, size }) => (
                <>
                  {mime_type ?? bucket}
                  <span className="block text-sm font-normal text-ink-soft">
                    {size === null ? bucket : `${bucket}, ${sizeText(size, locale)}`}
                  </span>
                  <span className="block font-mono text-sm font-normal text-ink-soft wrap-anywhere">{object_id}</span>
                </>
              ),
            },
            { head: t("readBack.difference"), cell: ({ kind }) => t(`readBack.kinds.${kind}`) },
            {
              head: t("jobs.state"),
              cell: ({ lost_at, told_at }) => (
                <>
                  <Mark tone={lost_at ? "danger" : "plain"}>{t(lost_at ? "readBack.lost" : "readBack.mending")}</Mark>
                  {told_at && (
                    <span className="block text-sm text-ink-soft">
                      {t("readBack.told", { when: time.format(new Date(told_at)) })}
                    </span>
                  )}
                </>
              ),
            },
            { head: t("outbox.when"), cell: ({ found_at }) => time.format(new Date(found_at)) },
            { head: t("outbox.error"), cell: ({ reason }) => reason ?? "–" },
          ]}
        />
      )}
    </Panel>
  );
}

function Round({ round }: { round: NonNullable<ReadBack["round"]> }) {
  const { t, i18n } = useTranslation("adminSystem");
  const locale = localeOf(i18n.language);
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
  const number = new Intl.NumberFormat(locale);
  const { finished_at, started_at, round_files, stored_files, bytes_per_day, files, bytes, differences, mended } =
    round;
  const isWaiting = finished_at !== null && Date.parse(started_at) > serverNow();
  return (
    <Facts
      facts={[
        [t("readBack.last"), finished_at ? day.format(new Date(finished_at)) : t("readBack.notYet")],
        [
          t(isWaiting ? "readBack.next" : "readBack.current"),
          isWaiting
            ? day.format(new Date(started_at))
            : t("readBack.progress", { read: number.format(round_files), all: number.format(stored_files) }),
        ],
        [t("readBack.speed"), bytes_per_day && t("readBack.perDay", { size: sizeText(bytes_per_day, locale) })],
        [
          t("readBack.total"),
          t("readBack.totals", {
            files: number.format(files),
            size: sizeText(bytes, locale),
            differences: number.format(differences),
            mended: number.format(mended),
          }),
        ],
      ]}
    />
  );
}
