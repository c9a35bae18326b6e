import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { Button } from "../../ui/Button.tsx";
import { useDownload } from "./downloads.queries.ts";

interface DownloadButtonProps {
  client: SupabaseClient;
  memory: { id: string; person_name: string };
}

/** A button that opens the download dialog of a memory. */
export default function DownloadButton({ client, memory }: DownloadButtonProps) {
  const { t } = useTranslation("downloads");
  const download = useDownload(client);
  return (
    <Button
      icon={Download}
      variant="cover"
      title={t("download")}
      className="lg:w-11 lg:px-0!"
      onClick={() => download({ memoryId: memory.id }, memory.person_name)}
    >
      <span className="lg:sr-only">{t("download")}</span>
    </Button>
  );
}
