import { HardDrive } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import type { UploadQueue, UploadView } from "./use-uploads.ts";

interface StorageFullProps {
  queue: UploadQueue;
  uploads: readonly UploadView[];
  /** Sent by somebody who can not make room there. */
  guest: boolean;
}

/** Says that the storage, or the plan, has no room for these files, and shows the ways on. */
export function StorageFull({ queue, uploads, guest }: StorageFullProps) {
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
