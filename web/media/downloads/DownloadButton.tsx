import "../../i18n/namespaces/downloads.ts";
import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { useDownload } from "./downloads.queries.ts";

interface DownloadButtonProps {
  client: SupabaseClient;
  memory: { id: string; person_name: string };
}

/** Takes a memory along; stands under its name for whoever may. */
export default function DownloadButton({ client, memory }: DownloadButtonProps) {
  const { t } = useTranslation("downloads");
  const download = useDownload(client);
  return (
    <IconButton
      label={t("download")}
      onClick={() => download({ memoryId: memory.id }, memory.person_name)}
      variant="cover"
    >
      <Download aria-hidden className="size-5" />
    </IconButton>
  );
}
