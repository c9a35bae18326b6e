import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { sizeText } from "../../../../shared/storage.ts";
import { localeOf } from "../../../lib/formatting/locale.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { Button } from "../../../ui/Button.tsx";
import { Panel } from "../../../ui/Panel.tsx";
import { SegmentedControl } from "../../../ui/SegmentedControl.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { DeskList, DeskProblem, DeskTable } from "../DeskTable.tsx";
import { Facts, Mark } from "../Facts.tsx";
import { ROW_LINK } from "../Shortcuts.tsx";
import { useChoices } from "../use-choices.ts";
import { DamagedFiles } from "./DamagedFiles.tsx";
import { FileFailures } from "./FileFailures.tsx";
import { OUTBOX_KINDS, outboxQuery, type SystemState, systemQuery, useRetryMessage } from "./system.queries.ts";

/** The state of the installation: version, sizes, jobs, emails, refusals and settings. */
export function System() {
  const system = useQuery(systemQuery(supabase));
  if (system.isPending) return <Skeleton className="h-96 rounded-3xl" />;
  if (system.isLoadingError) return <DeskProblem retry={system.refetch} />;
  return (
    <div className="grid gap-5">
      {system.data.untrusted_proxy && <UntrustedProxy address={system.data.untrusted_proxy} />}
      <div className="grid gap-5 xl:grid-cols-2">
        <Installation state={system.data} />
        <Sizes state={system.data} />
      </div>
      <Jobs jobs={system.data.jobs} />
      <FileFailures />
      <DamagedFiles />
      <Outbox counts={system.data.outbox} />
      <Settings settings={system.data.settings} />
    </div>
  );
}

/** Tells that limits count all visitors as one. */
function UntrustedProxy({ address }: { address: string }) {
  const { t } = useTranslation("adminSystem");
  return (
    <p role="alert" className="flex gap-3 rounded-2xl bg-danger-wash px-4 py-3 wrap-anywhere text-danger-text">
      <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
      {t("untrustedProxy", { address })}
    </p>
  );
}

const useTime = () => {
  const time = new Intl.DateTimeFormat(localeOf(useTranslation().i18n.language), {
    dateStyle: "medium",
    timeStyle: "medium",
  });
  return (moment: string | null) => (moment ? time.format(new Date(moment)) : "–");
};

function Installation({ state }: { state: SystemState }) {
  const { t } = useTranslation("adminSystem");
  const time = useTime();
  const refusals = Object.entries(state.refusals);
  const processes = new Set(state.jobs.map(({ process }) => process)).size;
  return (
    <Panel compact title={t("installation.title")}>
      <Facts
        facts={[
          [
            t("installation.health"),
            t(state.jobs.some(({ failures }) => failures > 0) ? "installation.failing" : "installation.fine"),
          ],
          [t("installation.version"), state.version],
          [t("installation.schema"), state.schema.replace(/^product\//, "")],
          ["Node.js", state.node],
          ["PostgreSQL", state.database_version],
          [t("installation.started"), time(state.started_at)],
          [t("installation.processes"), processes],
          [
            t("installation.refusals"),
            refusals.length === 0 ? "0" : refusals.map(([area, count]) => `${area} ${count}`).join(", "),
          ],
        ]}
      />
    </Panel>
  );
}

function Sizes({ state: { disk, database_bytes, storage, tables } }: { state: SystemState }) {
  const { t, i18n } = useTranslation("adminSystem");
  const locale = localeOf(i18n.language);
  const size = (bytes: number) => sizeText(bytes, locale);
  return (
    <Panel compact title={t("sizes.title")}>
      <Facts
        facts={[
          [t("sizes.disk"), t("sizes.free", { free: size(disk.free), all: size(disk.bytes) })],
          [t("sizes.stored"), size(storage.stored)],
          [t("sizes.uploads"), `${storage.uploads} (${size(storage.upload_bytes)})`],
          [t("sizes.discarded"), storage.discarded],
          [t("sizes.orphans"), storage.orphans],
          [t("sizes.database"), size(database_bytes)],
        ]}
      />
      <details>
        <summary className="min-h-11 cursor-pointer content-center font-semibold text-deep">
          {t("sizes.tables")}
        </summary>
        <Facts facts={tables.map(({ name, bytes }) => [name, size(bytes)] as const)} />
      </details>
    </Panel>
  );
}

function Jobs({ jobs }: Pick<SystemState, "jobs">) {
  const { t } = useTranslation("adminSystem");
  const time = useTime();
  return (
    <Panel compact title={t("jobs.title")}>
      {jobs.length === 0 ? (
        <p className="text-ink-soft">{t("jobs.none")}</p>
      ) : (
        <DeskTable
          caption={t("jobs.title")}
          rows={jobs}
          keyOf={({ process, job }) => `${process} ${job}`}
          columns={[
            { head: t("jobs.job"), cell: ({ job }) => job },
            {
              head: t("jobs.state"),
              cell: ({ status }) => <Mark tone={status === "failing" ? "danger" : "plain"}>{t(`jobs.${status}`)}</Mark>,
            },
            { head: t("jobs.succeeded"), cell: ({ succeeded_at }) => time(succeeded_at) },
            {
              head: t("jobs.error"),
              cell: ({ error, error_at }) => (error ? `${time(error_at)}: ${error}` : "–"),
            },
            { head: t("jobs.process"), cell: ({ process }) => process },
          ]}
        />
      )}
    </Panel>
  );
}

function Settings({ settings }: Pick<SystemState, "settings">) {
  const { t } = useTranslation("adminSystem");
  return (
    <Panel compact title={t("settings.title")}>
      <p className="text-ink-soft">{t("settings.text")}</p>
      <Facts
        facts={settings.map(
          ({ name, isSet, value }) => [name, value ?? t(isSet ? "settings.set" : "settings.unset")] as const,
        )}
      />
    </Panel>
  );
}

/** Failed emails and text messages, which can be sent again, and waiting ones. */
function Outbox({ counts }: { counts: SystemState["outbox"] }) {
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
                  className="md:whitespace-nowrap"
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
