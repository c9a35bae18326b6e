import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { DownloadAnswer } from "../../../shared/download.ts";
import { sizeText } from "../../../shared/storage.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { Button } from "../../ui/Button.tsx";
import { Progress } from "../../ui/Progress.tsx";
import { toast } from "../../ui/toasts.tsx";
import { type DownloadRequest, wantDownload } from "./download-store.ts";
import { DownloadRefused, preparedDownloadQuery } from "./downloads.queries.ts";

/** A download from the moment it is wanted to the one in which the browser takes it over. */
export function PreparedDownload({ request, archive }: { request: DownloadRequest; archive: boolean }) {
  const { t, i18n } = useTranslation("downloads");
  const language = i18n.resolvedLanguage === "it" ? "it" : "en";
  const { data, error, refetch, isFetching } = useQuery(
    preparedDownloadQuery(request.client, { ...request.what, archive, language }),
  );
  const begun = () => {
    wantDownload(undefined);
    toast({ title: t("begun"), description: t("begunText"), tone: "success" });
  };

  if (error && !isFetching) {
    const reason = error instanceof DownloadRefused ? error.reason : "failed";
    return (
      <div className="grid justify-items-start gap-4">
        <p role="alert" className="text-danger-text">
          {t(`problem.${reason}`)}
        </p>
        {reason === "failed" && (
          <Button variant="quiet" onClick={() => void refetch()}>
            {t("retry")}
          </Button>
        )}
      </div>
    );
  }
  const ready = data?.state === "ready" ? data : undefined;
  return (
    // As high as it becomes, so that the window does not jump.
    <div className="grid min-h-40 content-between gap-4">
      <div role="status" className="grid gap-1">
        {ready ? (
          <>
            <p className="font-serif text-2xl">
              {sizeText(ready.size, localeOf(i18n.language))}
              <span className="ms-3 font-sans text-base text-ink-soft">{t("items", { count: ready.files })}</span>
            </p>
            {ready.leftOut > 0 && <p className="text-sm text-ink-soft">{t("leftOut", { count: ready.leftOut })}</p>}
          </>
        ) : (
          <Preparing answer={data} />
        )}
      </div>
      <div className="grid gap-3">
        {ready ? (
          <Button asChild size="large">
            <a href={ready.url} download={ready.name} onClick={begun}>
              <Download aria-hidden className="size-5" />
              {t("download")}
            </a>
          </Button>
        ) : (
          <Button size="large" disabled>
            <Download aria-hidden className="size-5" />
            {t("download")}
          </Button>
        )}
        <p className="text-center text-sm text-ink-soft">{t("resumes")}</p>
      </div>
    </div>
  );
}

function Preparing({ answer }: { answer: DownloadAnswer | undefined }) {
  const { t } = useTranslation("downloads");
  if (answer?.state !== "preparing")
    return <p className="text-ink-soft motion-safe:animate-breathe">{t("preparing")}</p>;
  const { ready, files } = answer;
  return (
    <>
      <p className="text-ink-soft">{t("copies", { ready, files })}</p>
      <Progress value={ready / files} label={t("preparing")} />
    </>
  );
}
