import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/Button.tsx";
import { useDownloadData } from "./profile.queries.ts";

/** All that is kept of somebody, as one file. */
export function DownloadData() {
  const { t } = useTranslation("profile");
  const download = useDownloadData();
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
    </>
  );
}
