import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { numberText } from "../../../../shared/number-text.ts";
import { sizeText } from "../../../../shared/storage.ts";
import { saveFile } from "../../../lib/browser/save-file.ts";
import { localeOf } from "../../../lib/formatting/locale.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { useUser } from "../../../lib/session/session.ts";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/Button.tsx";
import { Panel } from "../../../ui/Panel.tsx";
import { SegmentedControl } from "../../../ui/SegmentedControl.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { DeskProblem } from "../DeskTable.tsx";
import { useChoices } from "../use-choices.ts";
import { type FigureRow, figuresQuery, PERIODS, type Period, queuesQuery } from "./figures.queries.ts";
import { MetricPanel } from "./MetricPanel.tsx";
import { figuresCsv, METRICS } from "./metrics.ts";

/** The overview: queues, today's figures, and metrics of a period and the previous one. */
export function Overview() {
  const { t } = useTranslation("adminOverview");
  const [choices, choose] = useChoices(["period"]);
  const period: Period = PERIODS.find((one) => one === choices.period) ?? "day";
  const today = useQuery(figuresQuery(supabase, "day"));
  const figures = useQuery(figuresQuery(supabase, period));
  if (figures.isLoadingError) return <DeskProblem retry={figures.refetch} />;
  return (
    <div className="grid gap-5">
      <Queues />
      <Today row={today.data?.at(-1)} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SegmentedControl
          label={t("period.label")}
          value={period}
          onChange={(next) => choose("period", next === "day" ? "" : next)}
          options={PERIODS.map((value) => ({ value, label: t(`period.${value}`) }))}
        />
        <Button
          variant="quiet"
          disabled={!figures.data}
          onClick={() =>
            saveFile(new Blob([figuresCsv(figures.data ?? [])], { type: "text/csv" }), `skies-${period}.csv`)
          }
        >
          <Download aria-hidden className="size-5" />
          {t("csv")}
        </Button>
      </div>
      <div className="grid gap-5 xl:grid-cols-2">
        {METRICS.map((metric) =>
          figures.data ? (
            <MetricPanel key={metric.name + metric.currency} metric={metric} rows={figures.data} period={period} />
          ) : (
            <Skeleton key={metric.name + metric.currency} className="h-80 rounded-3xl" />
          ),
        )}
      </div>
    </div>
  );
}

/** A figure that links to its details. */
function Figure({ name, value, to, alarming }: { name: string; value: string; to?: string; alarming?: boolean }) {
  const content = (
    <>
      <span className="block text-sm text-ink-soft">{name}</span>
      <span className={`block font-serif text-xl tabular-nums sm:text-2xl ${alarming ? "text-danger-text" : ""}`}>
        {value}
      </span>
    </>
  );
  const look = "rounded-2xl border border-line bg-raised px-4 py-3 text-ink no-underline";
  return to ? (
    <Link to={to} className={`${look} hover:border-deep`}>
      {content}
    </Link>
  ) : (
    <p className={look}>{content}</p>
  );
}

const GRID = "grid grid-cols-2 gap-3";
// Column counts that fill every row.
const QUEUES = `${GRID} md:grid-cols-3 xl:grid-cols-6`;
const TODAY = `${GRID} md:grid-cols-4`;
const TOTALS = `${GRID} md:grid-cols-3 xl:grid-cols-5`;

function Queues() {
  const { t, i18n } = useTranslation("adminOverview");
  const queues = useQuery(queuesQuery(supabase));
  const { role } = useUser();
  if (queues.isLoadingError) return <DeskProblem retry={queues.refetch} />;
  if (!queues.data) return <Skeleton className="h-32 rounded-3xl" />;
  const number = (value: number) => numberText(value, i18n.language);
  const { outbox, failed_mails, photos, videos, reports, messages } = queues.data;
  const system = role === "admin" ? { to: paths.admin("system") } : {};
  return (
    <Panel compact title={t("queues.title")}>
      <div className={QUEUES}>
        <Figure
          name={t("queues.reports")}
          value={number(reports)}
          alarming={reports > 0}
          to={`${paths.admin("inbox")}?kind=report`}
        />
        <Figure name={t("queues.messages")} value={number(messages)} to={`${paths.admin("inbox")}?kind=message`} />
        <Figure name={t("queues.failedMails")} value={number(failed_mails)} alarming={failed_mails > 0} {...system} />
        <Figure name={t("queues.outbox")} value={number(outbox)} {...system} />
        <Figure name={t("queues.photos")} value={number(photos)} />
        <Figure name={t("queues.videos")} value={number(videos)} />
      </div>
    </Panel>
  );
}

/** Today's figures and the totals. */
function Today({ row }: { row: FigureRow | undefined }) {
  const { t, i18n } = useTranslation("adminOverview");
  if (!row) return <Skeleton className="h-52 rounded-3xl" />;
  const locale = localeOf(i18n.language);
  const number = (value: number | null) => (value === null ? "–" : numberText(value, i18n.language));
  const money = METRICS.filter(({ currency }) => currency).map((metric) => ({
    name: t(`metrics.${metric.name}`, { currency: metric.currency }),
    value: metric.text(metric.value(row) ?? 0, locale),
  }));
  const time =
    row.counted_at && new Intl.DateTimeFormat(locale, { timeStyle: "short" }).format(new Date(row.counted_at));
  return (
    <>
      <Panel compact title={t("today.title")}>
        <div className={TODAY}>
          {(["signUps", "memories", "photos", "videos"] as const).map((name) => (
            <Figure
              key={name}
              name={t(`metrics.${name}`)}
              value={number(METRICS.find((metric) => metric.name === name)?.value(row) ?? 0)}
            />
          ))}
          {money.map((figure) => (
            <Figure key={figure.name} {...figure} />
          ))}
        </div>
      </Panel>
      <Panel compact title={t("totals.title")}>
        <div className={TOTALS}>
          <Figure name={t("totals.accounts")} value={number(row.accounts)} />
          <Figure name={t("metrics.active")} value={number(row.active)} />
          <Figure name={t("totals.memories")} value={number(row.all_memories)} />
          <Figure name={t("totals.media")} value={number(row.all_media)} />
          <Figure name={t("metrics.storage")} value={row.stored === null ? "–" : sizeText(row.stored, locale)} />
          {(["waiting", "ordered", "engraved", "sent"] as const).map((state) => (
            <Figure key={state} name={t(`cards.${state}`)} value={number(row.cards[state] ?? 0)} />
          ))}
        </div>
        {time && <p className="text-sm text-ink-soft">{t("totals.counted", { time })}</p>}
      </Panel>
    </>
  );
}
