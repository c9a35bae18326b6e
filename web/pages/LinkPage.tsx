import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { AccountShell } from "../features/account/AccountShell.tsx";
import { linkPreviewQuery, useFollowLink } from "../features/account/link.queries.ts";
import { type MailedLink, parseMailedLink, purposeOf } from "../features/account/mailed-link.ts";
import { RedirectSignedIn } from "../features/account/RedirectSignedIn.tsx";
import { useAccountTexts } from "../features/account/use-account-texts.ts";
import { useSession } from "../lib/session/session.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Loading } from "../ui/Loading.tsx";

/**
 * /auth/link: the page of an emailed link. Opening it changes nothing, because mail gateways open every link, some of
 * them with a script. The browser that requested the link uses it at once; elsewhere a person presses the button.
 */
export default function LinkPage() {
  const [link] = useState(() => parseMailedLink(location.hash));
  return link ? <OpenedLink link={link} /> : <ClosedLink state="incomplete" link={undefined} />;
}

function OpenedLink({ link }: { link: MailedLink }) {
  const { t } = useTranslation("account");
  const texts = useAccountTexts();
  const preview = useQuery(linkPreviewQuery(link));
  const follow = useFollowLink(link);
  const { mutate, isIdle } = follow;
  const own = preview.data?.own === true && purposeOf(link) !== undefined;
  useEffect(() => {
    if (own && isIdle) mutate(true);
  }, [own, isIdle, mutate]);
  const to = follow.data;
  const isOpen = to !== undefined && to === link.redirect_to;
  useEffect(() => {
    // A new document: the target may be another app, and its script reads the result from the URL.
    if (to !== undefined && !isOpen) location.replace(to);
  }, [to, isOpen]);

  if (isOpen) {
    // Signed in here. A second factor may be missing.
    return (
      <RedirectSignedIn to={purposeOf(link) === "recovery" ? paths.newPassword() : undefined}>
        <Loading />
      </RedirectSignedIn>
    );
  }
  if (preview.isPending || (own && !follow.isError) || to !== undefined) return <Loading />;
  if (preview.isLoadingError)
    return <ClosedLink state="unreachable" link={link} again={() => void preview.refetch()} />;
  if (preview.data.state !== "valid") return <ClosedLink state={preview.data.state} link={link} />;
  const { sent_to = "" } = preview.data;
  const text = (
    <>
      <p>{t(`mailedLink.${link.type}.text`)}</p>
      <p className="mt-2 font-semibold text-ink">{sent_to}</p>
    </>
  );
  return (
    <AccountShell title={t(`mailedLink.${link.type}.title`)} text={text}>
      <div className="grid justify-items-start gap-4">
        <Button variant="primary" aria-busy={follow.isPending} onClick={() => !follow.isPending && mutate(own)}>
          {t(`mailedLink.${link.type}.action`)}
        </Button>
        {follow.isError && (
          <p role="alert" className="text-danger-text">
            {texts.refusal(follow.error)?.message}
          </p>
        )}
        <p className="text-ink-soft">{t("mailedLink.elsewhere")}</p>
      </div>
    </AccountShell>
  );
}

interface ClosedLinkProps {
  state: "used" | "expired" | "incomplete" | "unreachable";
  link: MailedLink | undefined;
  again?: () => void;
}

/** A link that cannot be used, and a way on. */
function ClosedLink({ state, link, again }: ClosedLinkProps) {
  const { t } = useTranslation("account");
  const isSignedIn = useSession().state === "signed in";
  const isConfirmation = link?.type === "signup" || link?.type === "email_change";
  const key = state === "used" && isConfirmation ? "usedConfirmation" : state;
  return (
    <AccountShell title={t(`mailedLink.${key}.title`)} text={<p>{t(`mailedLink.${key}.text`)}</p>}>
      <div className="flex flex-wrap gap-3">
        {again && (
          <Button variant="primary" onClick={again}>
            {t("mailedLink.again")}
          </Button>
        )}
        <Button asChild variant={again ? "quiet" : "primary"}>
          {isSignedIn ? (
            <Link to={paths.start()}>{t("callback.goOn")}</Link>
          ) : link?.type === "recovery" ? (
            <Link to={paths.forgottenPassword()}>{t("callback.newLink")}</Link>
          ) : (
            <Link to={paths.login()}>{t("callback.login")}</Link>
          )}
        </Button>
      </div>
    </AccountShell>
  );
}
