import { Moon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { SkyScreen } from "./SkyScreen.tsx";

/** Tells a visitor that a link has expired or is turned off, or that an email's link is invalid, and whom to ask. */
export function EndedScreen({ reason, again }: { reason: "expired" | "revoked" | "invitation"; again: () => void }) {
  const { t } = useTranslation("shareGate");
  return (
    <SkyScreen>
      <Moon aria-hidden className="mx-auto size-9 text-deep" />
      <div role="alert" className="grid gap-2">
        <h1 className="font-serif text-[1.75rem] leading-tight sm:text-3xl">{t(`open.${reason}`)}</h1>
        <p className="text-ink-soft">{t(`open.${reason}Text`)}</p>
      </div>
      <div className="flex flex-wrap justify-center gap-2">
        {reason === "invitation" && (
          <Button asChild size="large">
            <Link to={paths.login()}>{t("open.invitationSignIn")}</Link>
          </Button>
        )}
        <Button variant="quiet" size="large" onClick={again}>
          {t("open.retry")}
        </Button>
      </div>
    </SkyScreen>
  );
}
