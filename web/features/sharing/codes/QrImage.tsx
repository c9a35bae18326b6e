import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { qrCodeQuery } from "../../../lib/qr/qr.queries.ts";
import { Button } from "../../../ui/Button.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";

/** The link as a code, to be scanned from the screen. */
export function QrImage({ url }: { url: string }) {
  const { t } = useTranslation(["sharing", "shareGate"]);
  const code = useQuery(qrCodeQuery(url));
  return (
    <div className="grid size-40 place-content-center justify-self-center sm:col-start-2 sm:row-start-1">
      {code.isPending && <Skeleton className="size-40" />}
      {code.isError && (
        <p role="alert" className="grid justify-items-center gap-2 text-center text-sm text-danger-text">
          {t("qr.failed")}
          <Button variant="quiet" size="small" onClick={() => code.refetch()}>
            {t("shareGate:open.retry")}
          </Button>
        </p>
      )}
      {code.data && (
        <img
          src={`data:image/svg+xml,${encodeURIComponent(code.data.svg)}`}
          alt={t("qr.alt")}
          width={160}
          height={160}
          className="size-40 rounded-xl border border-line"
        />
      )}
    </div>
  );
}
