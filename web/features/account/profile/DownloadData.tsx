import { Archive, Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { supabase } from "../../../lib/request/supabase.ts";
import { useDownload } from "../../../media/downloads/downloads.queries.ts";
import { Button } from "../../../ui/Button.tsx";
import { useDownloadData } from "./profile.queries.ts";

/** Two downloads: the person's data as JSON, and the whole account for import into another installation. */
export function DownloadData() {
  const { t } = useTranslation("profile");
  const download = useDownloadData();
  const downloadFiles = useDownload(supabase);
  return (
    <>
      <Button
        icon={Download}
        variant="quiet"
        className="justify-self-start"
        aria-busy={download.isPending}
        onClick={() => !download.isPending && download.mutate()}
      >
        {t("data.download")}
      </Button>
      <p role="status" className="text-ink-soft empty:hidden">
        {download.isSuccess && t("data.done")}
      </p>
      {download.isError && (
        <p role="alert" className="text-danger-text">
          {t("data.failed")}
        </p>
      )}
      <p className="mt-4 max-w-prose text-ink-soft">{t("data.accountText")}</p>
      <Button
        icon={Archive}
        variant="quiet"
        className="justify-self-start"
        onClick={() => downloadFiles({ account: true }, "")}
      >
        {t("data.account")}
      </Button>
    </>
  );
}
