import { useTranslation } from "react-i18next";
import { classNames } from "./class-names.ts";

/** The loading view, with Spec §2's text; `full` fills the window. */
export function Loading({ full }: { full?: boolean }) {
  const { t } = useTranslation("common");
  return (
    <div
      role="status"
      className={classNames(
        "grid place-content-center justify-items-center gap-5 p-8",
        full ? "min-h-dvh" : "min-h-[50dvh]",
      )}
    >
      <span aria-hidden className="sunrise" />
      <p className="text-ink-soft">{t("loading", { product: "Skies" })}</p>
    </div>
  );
}
