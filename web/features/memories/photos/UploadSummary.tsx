import { CloudOff } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Progress } from "../../../ui/Progress.tsx";
import type { MemoryUploads } from "../../media/uploads.queries.ts";

const subscribeOnline = (listener: () => void) => {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
};

/** How far a memory's photos are as one, with the time left; said aloud now and then, not at every percent. */
export function UploadSummary({ overall, timeLeft }: Pick<MemoryUploads, "overall" | "timeLeft">) {
  const { t } = useTranslation("media");
  const online = useSyncExternalStore(subscribeOnline, () => navigator.onLine);
  const { stored, files, failed, fraction, busy } = overall;
  const quarter = Math.floor((files === 0 ? 1 : stored / files) * 4);
  const spoken = [
    files > 0 &&
      (busy
        ? (quarter > 0 || stored > 0) && t("upload.summary", { stored: Math.ceil((quarter * files) / 4), files })
        : t("upload.done", { count: files })),
    failed > 0 && t("upload.problems", { count: failed }),
  ];
  return (
    <div className="grid gap-2">
      <p role="status" className="sr-only">
        {spoken.filter(Boolean).join(". ")}
      </p>
      {busy && (
        <>
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm tabular-nums">
            <span className="font-semibold">{t("upload.summary", { stored, files })}</span>
            {online && timeLeft && (
              <span className="text-ink-soft">{t(`upload.${timeLeft.unit}`, { count: timeLeft.count })}</span>
            )}
          </div>
          <Progress value={fraction} label={t("upload.overall")} />
          {!online && (
            <p className="flex items-center gap-2 text-sm text-ink-soft">
              <CloudOff aria-hidden className="size-5 shrink-0" />
              {t("upload.offline")}
            </p>
          )}
        </>
      )}
    </div>
  );
}
