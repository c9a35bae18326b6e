import { Moon } from "lucide-react";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import type { ShareState } from "../../data/share-state.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { pathOf, rememberRedirect } from "../../lib/session/redirect-url.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { SkyScreen } from "./SkyScreen.tsx";
import { declineInvitation, requestInvitationAgain } from "./share-requests.ts";

const UnsentTexts = lazyPart(() => import("../../actions/outbox/UnsentTexts.tsx"), "nothing");

interface EndedScreenProps {
  shareId: string;
  reason: Extract<ShareState, { state: "ended" }>["reason"];
  again: () => void;
}

/** Tells a visitor why a link or an invitation's email opens nothing, and what they can do. */
export default function EndedScreen({ shareId, reason, again }: EndedScreenProps) {
  const { t, i18n } = useTranslation(["shareGate", "shareEnd"]);
  const here = useLocation();
  const language = i18n.language.startsWith("it") ? "it" : "en";
  return (
    <SkyScreen>
      <Moon aria-hidden className="mx-auto size-9 text-deep" />
      <div role="alert" className="grid gap-2">
        <h1 className="font-serif text-[1.75rem] leading-tight sm:text-3xl">
          {t(`open.${reason === "cut" ? "incomplete" : reason}`)}
        </h1>
        <p className="text-ink-soft">{t(`shareEnd:${reason}`)}</p>
      </div>
      {reason === "incomplete" && (
        <OneRequest
          label={t("shareEnd:askAgain")}
          done={t("shareEnd:askedAgain")}
          send={() => requestInvitationAgain({ shareId, language })}
        />
      )}
      {reason === "declined" && (
        <OneRequest
          label={t("shareEnd:declineUndo")}
          send={async () => {
            await declineInvitation(shareId, { undo: true });
            again();
          }}
        />
      )}
      <Suspense>
        <UnsentTexts shareId={shareId} />
      </Suspense>
      <div className="flex flex-wrap justify-center gap-2">
        {(reason === "invitation" || reason === "accepted") && (
          <Button asChild size="large">
            <Link to={paths.login()} onClick={() => rememberRedirect(pathOf(here))}>
              {t("shareEnd:invitationSignIn")}
            </Link>
          </Button>
        )}
        {!["incomplete", "cut", "declined"].includes(reason) && (
          <Button variant="quiet" size="large" onClick={again}>
            {t("open.retry")}
          </Button>
        )}
      </div>
    </SkyScreen>
  );
}

interface OneRequestProps {
  label: string;
  /** Replaces the button after the request. */
  done?: string;
  send: () => Promise<unknown>;
}

/** A button that sends one request. */
function OneRequest({ label, done, send }: OneRequestProps) {
  const { t } = useTranslation(["shareGate", "shareEnd"]);
  const [state, setState] = useState<"idle" | "sending" | "sent" | "failed">("idle");
  if (state === "sent" && done) return <p role="status">{done}</p>;
  const press = () => {
    if (state === "sending") return;
    setState("sending");
    send().then(
      () => setState("sent"),
      () => setState("failed"),
    );
  };
  return (
    <div className="grid justify-items-center gap-3">
      <Button size="large" aria-busy={state === "sending"} onClick={press}>
        {label}
      </Button>
      <p role="alert" className="text-danger-text empty:hidden">
        {state === "failed" && t("shareEnd:requestFailed")}
      </p>
    </div>
  );
}
