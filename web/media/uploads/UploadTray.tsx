import { ChevronDown, CloudOff, Copy, HardDrive, Pause, Play } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Progress } from "../../ui/Progress.tsx";
import { UploadRow } from "./UploadRow.tsx";
import {
  isBusy,
  type MemoryUploads,
  type UploadQueue,
  type UploadView,
  useOverallProgress,
  useVisibilityRef,
} from "./use-uploads.ts";

/** Up to this number, all rows are shown; above it, only active uploads. */
const FEW = 5;

interface UploadTrayProps {
  uploads: MemoryUploads;
  /** Whether active uploads are shown elsewhere, as tiles. */
  tiled?: boolean;
  /** Whether the files use another person's storage. */
  guest?: boolean;
}

/** A memory's uploads: a summary, uploads that need an answer, and the others, collapsed if many. Omits stored ones. */
export function UploadTray({ uploads, tiled = false, guest = false }: UploadTrayProps) {
  const { t } = useTranslation("media");
  const { queue, files } = uploads;
  const [open, setOpen] = useState(false);
  const tray = useVisibilityRef<HTMLElement>();
  const { failed, storageFull, duplicates, needsFile, going } = useMemo(() => sorted(files), [files]);
  const many = going.length > FEW;
  const visible = many && !open ? going.filter(({ state }) => state === "uploading") : going;
  const empty = failed.length + duplicates.length + needsFile.length + going.length === 0;
  return (
    <section
      ref={tray}
      id="uploads"
      aria-label={t("upload.title")}
      className={empty ? "sr-only" : "grid scroll-mt-20 gap-4 rounded-3xl border border-line bg-raised p-4 sm:p-5"}
    >
      <UploadSummary uploads={uploads} />
      {storageFull.length > 0 && <StorageFull queue={queue} uploads={storageFull} guest={guest} />}
      {duplicates.length > 0 && <UploadDuplicates queue={queue} uploads={duplicates} />}
      {needsFile.length > 0 && (
        <div>
          <p className="text-sm text-ink-soft">{t("upload.needsFileText")}</p>
          <UploadList queue={queue} uploads={needsFile} label={t("upload.needsFile")} />
        </div>
      )}
      {failed.length > 0 && (
        <div>
          <div className="flex items-center justify-between gap-3">
            <p className="font-semibold">{t("upload.problems", { count: failed.length })}</p>
            {failed.length > 1 && (
              <Button
                size="small"
                variant="plain"
                className="shrink-0"
                onClick={() => queue.remove(failed.map(({ id }) => id))}
              >
                {t("upload.removeAll")}
              </Button>
            )}
          </div>
          <UploadList queue={queue} uploads={failed} label={t("upload.problems", { count: failed.length })} />
        </div>
      )}
      {going.length > 0 && !tiled && (
        <div className="grid gap-1">
          <UploadList queue={queue} uploads={visible} label={t("upload.title")} />
          {many && (
            <Button size="small" variant="plain" aria-expanded={open} onClick={() => setOpen(!open)}>
              <ChevronDown aria-hidden className={classNames("size-5", open && "rotate-180")} />
              {open ? t("upload.showFewer") : t("upload.showAll", { count: going.length })}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

function sorted(files: readonly UploadView[]) {
  const failed = files.filter(({ state }) => state === "failed");
  return {
    failed,
    storageFull: failed.filter(({ problem }) => problem === "full" || problem === "plan"),
    duplicates: files.filter(({ state }) => state === "duplicate"),
    needsFile: files.filter(({ state }) => state === "needsFile"),
    going: files.filter(({ state }) => !/failed|duplicate|needsFile|stored/.test(state)),
  };
}

/** Lists duplicates, and asks whether to upload them anyway. */
function UploadDuplicates({ queue, uploads }: { queue: UploadQueue; uploads: readonly UploadView[] }) {
  const { t } = useTranslation("media");
  const [open, setOpen] = useState(false);
  const count = uploads.length;
  const ids = uploads.map(({ id }) => id);
  return (
    <div className="grid gap-2 rounded-2xl bg-wash p-3 sm:p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="flex min-w-0 items-center gap-2">
          <Copy aria-hidden className="size-5 shrink-0 text-ink-soft" />
          <span className="min-w-0 break-words">{t("duplicate.here", { count, name: uploads[0]?.name })}</span>
        </p>
        <div className="flex flex-wrap gap-1">
          <Button size="small" variant="quiet" onClick={() => queue.remove(ids)}>
            {t("duplicate.skip", { count })}
          </Button>
          <Button size="small" variant="plain" onClick={() => queue.addAnyway(ids)}>
            {t("duplicate.add", { count })}
          </Button>
          {count > 1 && (
            <Button size="small" variant="plain" aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? t("duplicate.hide") : t("duplicate.show")}
            </Button>
          )}
        </div>
      </div>
      {open && count > 1 && <UploadList queue={queue} uploads={uploads} label={t("duplicate.here", { count })} />}
    </div>
  );
}

interface StorageFullProps {
  queue: UploadQueue;
  uploads: readonly UploadView[];
  /** The sender cannot free or buy storage. */
  guest: boolean;
}

/** Says that the storage or plan is full for these files, and offers solutions. */
function StorageFull({ queue, uploads, guest }: StorageFullProps) {
  const { t } = useTranslation("media");
  const why = uploads.some(({ problem }) => problem === "full") ? "full" : "plan";
  return (
    <div role="alert" className="grid gap-3 rounded-2xl bg-danger-wash p-4">
      <p className="flex items-start gap-3">
        <HardDrive aria-hidden className="mt-0.5 size-6 shrink-0 text-danger-text" />
        <span className="grid gap-1">
          <span className="font-semibold">{guest ? t("full.guestTitle") : t(`${why}.title`)}</span>
          <span>{guest ? t("full.guestText") : t(`${why}.text`, { count: uploads.length })}</span>
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        {!guest && (
          <Button asChild size="small">
            <Link to={paths.plans()}>{t("full.more")}</Link>
          </Button>
        )}
        <Button size="small" variant="quiet" onClick={() => queue.retry(uploads.map(({ id }) => id))}>
          {t("full.again")}
        </Button>
      </div>
    </div>
  );
}

/** The total progress of a memory's files, the remaining time, and a button that pauses all. */
function UploadSummary({ uploads: { queue, files } }: { uploads: MemoryUploads }) {
  const { t } = useTranslation("media");
  const { overall, timeLeft } = useOverallProgress(queue, files);
  const { stored, files: count, fraction, busy, paused } = overall;
  const offline = files.some(({ state, problem }) => state === "uploading" && problem === "network");
  const pauseAll = () => queue.pause(files.filter(isBusy).map(({ id }) => id));
  const resume = () => queue.resume(files.filter(({ state }) => state === "paused").map(({ id }) => id));
  return (
    <>
      <p role="status" className="sr-only">
        {useSpoken(overall, offline)}
      </p>
      {(busy || paused > 0) && (
        <div className="grid gap-2">
          <div className="flex items-center justify-between gap-x-4">
            <p className="grid tabular-nums">
              <span className="font-semibold">{t("upload.summary", { stored, files: count })}</span>
              <span className="min-h-5 text-sm text-ink-soft">
                {!busy
                  ? t("upload.paused")
                  : !offline && timeLeft && t(`upload.${timeLeft.unit}`, { count: timeLeft.count })}
              </span>
            </p>
            <Button
              icon={busy ? Pause : Play}
              size="small"
              variant="quiet"
              className="shrink-0"
              onClick={busy ? pauseAll : resume}
            >
              {busy ? t("upload.pauseAll") : t("upload.resumeAll")}
            </Button>
          </div>
          <Progress value={fraction} label={t("upload.overall")} />
          {offline && (
            <p className="flex items-center gap-2 text-sm text-ink-soft">
              <CloudOff aria-hidden className="size-5 shrink-0" />
              {t("upload.offline")}
            </p>
          )}
        </div>
      )}
    </>
  );
}

/** Announcements for screen readers: at every quarter, when the network is lost and at the end. */
function useSpoken(overall: ReturnType<typeof useOverallProgress>["overall"], offline: boolean): string {
  const { t } = useTranslation("media");
  const { stored, files, failed, paused, fraction, busy } = overall;
  const quarter = Math.floor(fraction * 4);
  const moment = [busy, busy ? quarter : [stored, failed, paused], offline].join();
  const [said, setSaid] = useState({ moment: "", text: "" });
  if (said.moment !== moment) {
    const summary = [
      files > 0 && (busy || paused > 0 ? t("upload.summary", { stored, files }) : t("upload.done", { count: stored })),
      failed > 0 && t("upload.problems", { count: failed }),
      !busy && paused > 0 && t("upload.paused"),
      offline && t("upload.offline"),
    ];
    setSaid({ moment, text: summary.filter(Boolean).join(". ") });
  }
  return said.text;
}

const ROW_PX = 64;
/** Slightly more than six rows, so that a cut row shows that there are more. */
const HEIGHT_PX = 400;
const BEYOND = 4;

interface UploadListProps {
  queue: UploadQueue;
  uploads: readonly UploadView[];
  label: string;
}

/** The rows of uploads; of hundreds, only the visible ones are rendered. */
function UploadList({ queue, uploads, label }: UploadListProps) {
  const [top, setTop] = useState(0);
  const scrolls = uploads.length * ROW_PX > HEIGHT_PX;
  const from = scrolls
    ? Math.max(0, Math.floor(Math.min(top, uploads.length * ROW_PX - HEIGHT_PX) / ROW_PX) - BEYOND)
    : 0;
  const to = scrolls ? from + Math.ceil(HEIGHT_PX / ROW_PX) + 2 * BEYOND : uploads.length;
  const rows = uploads.slice(from, to);
  const list = (
    <ul style={{ paddingTop: from * ROW_PX, paddingBottom: Math.max(0, uploads.length - to) * ROW_PX }}>
      {rows.map((upload, index) => (
        <li key={upload.id} aria-setsize={uploads.length} aria-posinset={from + index + 1}>
          <UploadRow queue={queue} upload={upload} />
        </li>
      ))}
    </ul>
  );
  const help = <RefusedKinds uploads={uploads} />;
  if (!scrolls) {
    return (
      <>
        {list}
        {help}
      </>
    );
  }
  return (
    <>
      <section
        aria-label={label}
        className="-mx-2 overflow-y-auto overscroll-contain px-2"
        style={{ maxHeight: HEIGHT_PX }}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too.
        tabIndex={0}
        onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      >
        {list}
      </section>
      {help}
    </>
  );
}

/** Advice about refused files, once for each kind. */
function RefusedKinds({ uploads }: { uploads: readonly UploadView[] }) {
  const { t } = useTranslation("media");
  const kinds = new Set(uploads.flatMap(({ refused }) => (refused ? [refused] : [])));
  return [...kinds].map((kind) => (
    <p key={kind} role="note" className="mt-2 text-sm text-ink-soft">
      {t(`refused.${kind}`)}
    </p>
  ));
}
