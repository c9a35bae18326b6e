import { Link2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Picture } from "./Picture.tsx";
import { QrPicture } from "./QrPicture.tsx";

const PIN = ["4", "0", "7", "2"];

/** Everything about sharing: the QR code, the link, the PIN. */
export function SharePicture() {
  const { t } = useTranslation("home");
  return (
    <Picture label={t("pictures.share.label")}>
      <div className="grid content-center justify-items-center gap-4 rounded-2xl bg-raised p-4 shadow-lifted">
        <div className="w-2/5 rounded-xl border border-line bg-white p-2.5">
          <QrPicture />
        </div>
        <p className="flex max-w-full items-center gap-2 rounded-full bg-wash px-4 py-2 text-sm font-semibold text-deep">
          <Link2 aria-hidden className="size-4 shrink-0" />
          <span className="truncate">{t("pictures.share.link")}</span>
        </p>
        <div className="flex items-center gap-2">
          <span className="pe-1 text-sm text-ink-soft">PIN</span>
          {PIN.map((digit) => (
            <span
              key={digit}
              className="grid size-10 place-content-center rounded-lg border border-edge font-serif text-lg"
            >
              {digit}
            </span>
          ))}
        </div>
      </div>
    </Picture>
  );
}
