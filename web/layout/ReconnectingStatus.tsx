import { useTranslation } from "react-i18next";
import { useReconnecting } from "../lib/request/reconnecting.ts";

/** Says that requests are sent again, while the server cannot be reached. The region stays, so that it is announced. */
export function ReconnectingStatus() {
  const { t } = useTranslation("layout");
  const reconnecting = useReconnecting();
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-18 z-40 flex justify-center">
      {reconnecting && (
        <span className="rounded-full border border-line bg-raised px-4 py-2 text-base text-ink shadow-lifted">
          {t("reconnecting")}
        </span>
      )}
    </div>
  );
}
