import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { AccountShell } from "../features/account/AccountShell.tsx";
import { exchangeQuery } from "../features/account/account.queries.ts";
import { type CallbackProblem, exchangeProblem, parseCallback } from "../features/account/callback-result.ts";
import type { Purpose } from "../features/account/purposes.ts";
import { RedirectSignedIn } from "../features/account/RedirectSignedIn.tsx";
import { useSession } from "../lib/session/session.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Loading } from "../ui/Loading.tsx";
import { toast } from "../ui/toasts.tsx";

/** /auth/callback: target of emailed links and external sign-in providers. Each result offers a next step. */
export default function CallbackPage() {
  const [{ purpose, outcome }] = useState(() => parseCallback(location.href, Date.now()));
  useEffect(() => {
    // Remove the sign-in code from the address and the browser's history.
    history.replaceState(history.state, "", location.pathname);
  }, []);
  if (typeof outcome === "object") return <Exchange code={outcome.code} purpose={purpose} />;
  return <Outcome outcome={outcome} purpose={purpose} />;
}

function Exchange({ code, purpose }: { code: string; purpose: Purpose | undefined }) {
  const { t } = useTranslation("account");
  const exchange = useQuery(exchangeQuery(code));
  const done = exchange.isSuccess && purpose !== undefined && purpose in DONE ? purpose : undefined;
  useEffect(() => {
    if (done) toast({ title: t(DONE[done as keyof typeof DONE]), tone: "success" });
  }, [done, t]);
  if (exchange.isPending) return <Loading />;
  if (exchange.isError) return <Outcome outcome={exchangeProblem(exchange.error, purpose)} purpose={purpose} />;
  return (
    <RedirectSignedIn to={purpose && WAYS_ON[purpose]}>
      <Loading />
    </RedirectSignedIn>
  );
}

/** Text keys that confirm actions whose result the next page does not show. */
const DONE = {
  signup: "callback.done.signup",
  email: "callback.done.email",
  identity: "callback.done.identity",
} as const;

const WAYS_ON: Partial<Record<Purpose, string>> = {
  recovery: paths.newPassword(),
  email: paths.profile(),
  identity: paths.profile("waysIn"),
};

function Outcome({
  outcome,
  purpose,
}: {
  outcome: CallbackProblem | "firstConfirmation";
  purpose: Purpose | undefined;
}) {
  const { t } = useTranslation("account");
  const session = useSession();
  const signedIn = session.state === "signed in";
  const key = outcome === "firstConfirmation" ? "half" : outcome;
  return (
    <AccountShell title={t(`callback.${key}.title`)} text={<p>{t(`callback.${key}.text`)}</p>}>
      <div className="flex flex-wrap gap-3">
        <Button asChild>
          {signedIn ? (
            <Link to={(purpose && WAYS_ON[purpose]) ?? paths.start()}>{t("callback.goOn")}</Link>
          ) : purpose === "recovery" && outcome !== "unreachable" ? (
            <Link to={paths.forgottenPassword()}>{t("callback.newLink")}</Link>
          ) : (
            <Link to={paths.login()}>{t("callback.login")}</Link>
          )}
        </Button>
        <Button asChild variant="quiet">
          <Link to={paths.start()}>{t("callback.home")}</Link>
        </Button>
      </div>
    </AccountShell>
  );
}
