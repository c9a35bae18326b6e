import { FileWarning } from "lucide-react";
import { useTranslation } from "react-i18next";

/** The small mark on a photo of whose data a part is missing. */
export function DamagedMark() {
  const { t } = useTranslation("gallery");
  return (
    <span
      title={t("damaged")}
      className="absolute bottom-2 left-2 grid size-6 place-content-center rounded-full bg-black/55 text-white"
    >
      <FileWarning aria-hidden className="size-4" />
    </span>
  );
}
