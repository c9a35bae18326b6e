import { Moon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/Button.tsx";
import { SkyScreen } from "./SkyScreen.tsx";

/** Says that a link has ended or was closed, and whom to ask. */
export function EndedScreen({ reason, again }: { reason: "expired" | "revoked"; again: () => void }) {
  const { t } = useTranslation("sharing");
  return (
    <SkyScreen>
      <Moon aria-hidden className="mx-auto size-9 text-deep" />
      <div role="alert" className="grid gap-2">
        <h1 className="font-serif text-[1.75rem] leading-tight sm:text-3xl">{t(`open.${reason}`)}</h1>
        <p className="text-ink-soft">{t(`open.${reason}Text`)}</p>
      </div>
      <Button variant="quiet" size="large" onClick={again}>
        {t("open.retry")}
      </Button>
    </SkyScreen>
  );
}
