import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/Button.tsx";

/** Says how photos are put in another order, and ends it; at the window's foot for as long as it goes on. */
export function ArrangeBar({ onEnd }: { onEnd: () => void }) {
  const { t } = useTranslation("gallery");
  return (
    <div
      role="toolbar"
      aria-label={t("arrange.start")}
      data-foot
      className="sticky bottom-[max(1rem,env(safe-area-inset-bottom))] z-20 mx-auto flex max-w-full items-center gap-3 rounded-3xl border border-line bg-raised p-1.5 ps-4 shadow-lifted motion-safe:animate-rise"
    >
      <p className="text-sm leading-snug">{t("arrange.hint")}</p>
      <Button onClick={onEnd} className="shrink-0">
        <Check aria-hidden className="size-5" />
        {t("arrange.end")}
      </Button>
    </div>
  );
}
