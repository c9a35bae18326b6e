import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { Button } from "../../ui/Button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { useDownload } from "./downloads.queries.ts";

interface DownloadButtonProps {
  client: SupabaseClient;
  memory: { id: string; person_name: string };
  /** Whether phones show only the icon, because another button needs the room. */
  compact?: boolean;
}

/** A button that opens the download dialog of a memory. */
export default function DownloadButton({ client, memory, compact = false }: DownloadButtonProps) {
  const { t } = useTranslation("downloads");
  const download = useDownload(client);
  return (
    <Button
      icon={Download}
      variant="cover"
      title={t("download")}
      className={classNames("lg:w-11 lg:px-0!", compact && "max-sm:w-11 max-sm:px-0!")}
      onClick={() => download({ memoryId: memory.id }, memory.person_name)}
    >
      <span className={classNames("lg:sr-only", compact && "max-sm:sr-only")}>{t("download")}</span>
    </Button>
  );
}
