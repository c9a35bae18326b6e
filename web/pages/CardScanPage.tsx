import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams } from "react-router";
import { cardCode } from "../../shared/card.ts";
import { CardScreen } from "../features/cards/scan/CardScreen.tsx";
import { scanQuery } from "../features/cards/scan/scan.queries.ts";
import { lazyPart } from "../lib/browser/lazy-part.ts";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { FunctionRefusal } from "../lib/request/call-function.ts";
import { rememberRedirect } from "../lib/session/redirect-url.ts";
import { useSession } from "../lib/session/session.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";

// Loaded lazily because only owners need it, and cards are often scanned on slow mobile networks.
const AssignCard = lazyPart(async () => ({
  default: (await import("../features/cards/scan/AssignCard.tsx")).AssignCard,
}));
const ClaimCard = lazyPart(async () => ({ default: (await import("../features/cards/scan/ClaimCard.tsx")).ClaimCard }));

/** /c/{code}: target of an engraved code. Opens the memory's share gate, or the form to claim the card. */
export default function CardScanPage() {
  const { t } = useTranslation("cardScan");
  const { code: written = "" } = useParams();
  const code = cardCode(written);
  usePageTitle(t("page"));
  const session = useSession();
  const person = session.state === "signed in" ? session.user : null;
  const scan = useQuery({ ...scanQuery(code, person?.id ?? null), enabled: session.state !== "loading" });
  const go = useNavigate();
  const shareId = scan.data?.state === "assigned" ? scan.data.shareId : undefined;
  useEffect(() => {
    if (shareId !== undefined) void go(paths.shared(shareId), { replace: true });
  }, [go, shareId]);

  if (scan.isLoadingError) return <Refused error={scan.error} again={() => void scan.refetch()} />;
  const opening = (
    <CardScreen title={t("opening")} quiet>
      {null}
    </CardScreen>
  );
  if (!scan.data || scan.data.state === "assigned") return opening;
  if (scan.data.state === "lost" || scan.data.state === "disabled") {
    return (
      <CardScreen title={t("blockedTitle")} text={t("blockedText")}>
        <Button asChild size="large">
          <Link to={paths.cards()}>{t("mine")}</Link>
        </Button>
      </CardScreen>
    );
  }
  if (!person) return <Ways code={code} />;
  const { yours } = scan.data;
  return (
    <Suspense fallback={opening}>
      {yours && scan.data.cardId ? (
        <AssignCard cardId={scan.data.cardId} userId={person.id} />
      ) : (
        <ClaimCard code={code} userId={person.id} />
      )}
    </Suspense>
  );
}

/** Renders links to sign in and register, for a visitor with an unclaimed card. Both return to this page. */
function Ways({ code }: { code: string }) {
  const { t } = useTranslation("cardScan");
  const remember = () => rememberRedirect(paths.scanned(code));
  return (
    <CardScreen title={t("newTitle")} text={t("newText")}>
      <Button asChild size="large">
        <Link to={paths.register()} onClick={remember}>
          {t("register")}
        </Link>
      </Button>
      <Button asChild size="large" variant="quiet">
        <Link to={paths.login()} onClick={remember}>
          {t("login")}
        </Link>
      </Button>
    </CardScreen>
  );
}

function Refused({ error, again }: { error: Error; again: () => void }): ReactNode {
  const { t } = useTranslation("cardScan");
  const refusal = error instanceof FunctionRefusal ? error.code : undefined;
  if (refusal === "card_unknown" || refusal === "malformed") {
    return <CardScreen title={t("unknownTitle")} text={t("unknownText")} />;
  }
  const locked = refusal === "locked";
  return (
    <CardScreen title={t(locked ? "lockedTitle" : "failedTitle")} text={t(locked ? "lockedText" : "failedText")}>
      <Button size="large" onClick={again}>
        {t("retry")}
      </Button>
    </CardScreen>
  );
}
