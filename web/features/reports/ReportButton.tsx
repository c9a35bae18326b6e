import { Flag } from "lucide-react";
import { Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { askToReport, endReport, reported } from "../../lib/browser/reporting.ts";
import { useStore } from "../../lib/browser/store.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { Button } from "../../ui/Button.tsx";

const ReportDialog = lazyPart(() => import("./ReportDialog.tsx"), "over the page");

interface ReportButtonProps {
  client: SupabaseClient;
  memory: { id: string };
  rights: { manage: boolean };
}

/** Renders a plain button to report a memory, and the report dialog, which all parts of the memory share. */
export default function ReportButton({ client, memory, rights }: ReportButtonProps) {
  const { t } = useTranslation("reports");
  const report = useStore(reported);
  useEffect(() => endReport, []);
  return (
    <>
      {!rights.manage && (
        <p className="print:hidden">
          <Button
            variant="plain"
            size="small"
            className="font-normal! text-ink-soft!"
            onClick={() => askToReport({ kind: "memory", id: memory.id })}
          >
            <Flag aria-hidden className="size-4" />
            {t("open")}
          </Button>
        </p>
      )}
      {report && (
        <Suspense>
          <ReportDialog client={client} what={report} onClosed={endReport} />
        </Suspense>
      )}
    </>
  );
}
