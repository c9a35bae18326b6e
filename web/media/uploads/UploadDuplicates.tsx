import { Copy } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/Button.tsx";
import { UploadList } from "./UploadList.tsx";
import type { UploadQueue, UploadView } from "./use-uploads.ts";

/** Says that files are in the memory already, and asks, without a hurry, whether they are wanted again. */
export function UploadDuplicates({ queue, uploads }: { queue: UploadQueue; uploads: readonly UploadView[] }) {
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
