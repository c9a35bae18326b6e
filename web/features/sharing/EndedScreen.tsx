import { Moon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import type { ShareState } from "../../data/share-state.ts";
import { pathOf, rememberRedirect } from "../../lib/session/redirect-url.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { SkyScreen } from "./SkyScreen.tsx";

interface EndedScreenProps {
  reason: Extract<ShareState, { state: "ended" }>["reason"];
  again: () => void;
}

/** Tells a visitor why a link or an invitation's email opens nothing, and what they can do. */
export function EndedScreen({ reason, again }: EndedScreenProps) {
  const { t } = useTranslation("shareGate");
  const here = useLocation();
  return (
    <SkyScreen>
      <Moon aria-hidden className="mx-auto size-9 text-deep" />
      <div role="alert" className="grid gap-2">
        <h1 className="font-serif text-[1.75rem] leading-tight sm:text-3xl">{t(`open.${reason}`)}</h1>
        <p className="text-ink-soft">{t(`open.${reason}Text`)}</p>
      </div>
      <div className="flex flex-wrap justify-center gap-2">
        {(reason === "invitation" || reason === "accepted") && (
          <Button asChild size="large">
            <Link to={paths.login()} onClick={() => rememberRedirect(pathOf(here))}>
              {t("open.invitationSignIn")}
            </Link>
          </Button>
        )}
        <Button variant="quiet" size="large" onClick={again}>
          {t("open.retry")}
        </Button>
      </div>
    </SkyScreen>
  );
}
