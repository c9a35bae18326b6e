import { CloudOff, Pause, Play } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/Button.tsx";
import { Progress } from "../../ui/Progress.tsx";
import { isBusy, type MemoryUploads, useOverallProgress } from "./use-uploads.ts";

/** How far a memory's files are as one, with the time left, and the way to let all of them rest. */
export function UploadSummary({ uploads: { queue, files } }: { uploads: MemoryUploads }) {
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
            <Button size="small" variant="quiet" className="shrink-0" onClick={busy ? pauseAll : resume}>
              {busy ? <Pause aria-hidden className="size-5" /> : <Play aria-hidden className="size-5" />}
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

/** What is said aloud: at every quarter, when the network goes and when all is done; not at every percent. */
function useSpoken(overall: ReturnType<typeof useOverallProgress>["overall"], offline: boolean): string {
  const { t } = useTranslation("media");
  const { stored, files, failed, paused, fraction, busy } = overall;
  const quarter = Math.floor(fraction * 4);
  const moment = [busy, busy ? quarter : [stored, failed, paused], offline].join();
  const [said, setSaid] = useState({ moment: "", text: "" });
  if (said.moment !== moment) {
    const words = [
      files > 0 && (busy || paused > 0 ? t("upload.summary", { stored, files }) : t("upload.done", { count: stored })),
      failed > 0 && t("upload.problems", { count: failed }),
      !busy && paused > 0 && t("upload.paused"),
      offline && t("upload.offline"),
    ];
    setSaid({ moment, text: words.filter(Boolean).join(". ") });
  }
  return said.text;
}
