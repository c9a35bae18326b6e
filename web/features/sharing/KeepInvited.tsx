import { useMutation } from "@tanstack/react-query";
import { MailOpen } from "lucide-react";
import { useCallback, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useNavigate, useSearchParams } from "react-router";
import type { OpenedShare } from "../../../shared/share.ts";
import { useKeepInvited } from "../../data/shared-link.queries.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { rememberRedirect } from "../../lib/session/redirect-url.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { declineInvitation } from "./share-requests.ts";

interface KeepInvitedProps {
  shareId: string;
  client: SupabaseClient;
  invitation: NonNullable<OpenedShare["invitation"]>;
  /** Id of the signed-in person; undefined for a visitor. */
  person: string | undefined;
  onDeclined: () => void;
}

/** The query parameter that remembers, during the sign-in, that the person chose to keep the memory. */
const KEEP = "keep";

/** Renders the offer to add a memory to an account, if the link in an invitation's email opened the memory. */
export function KeepInvited({ shareId, client, invitation, person, onDeclined }: KeepInvitedProps) {
  const { t } = useTranslation("sharing");
  const { pathname } = useLocation();
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const { mutate, isPending, error } = useKeepInvited(client);
  const keep = useCallback(
    () => mutate(undefined, { onSuccess: (memoryId) => navigate(paths.memory(memoryId), { replace: true }) }),
    [mutate, navigate],
  );
  const wished = query.has(KEEP) && person !== undefined;
  const begun = useRef(false);
  useEffect(() => {
    if (!wished || begun.current) return;
    begun.current = true;
    keep();
  }, [wished, keep]);

  const decline = useMutation({
    mutationFn: () => declineInvitation(shareId, { undo: false }),
    onSuccess: onDeclined,
  });

  const remember = () => rememberRedirect(`${pathname}?${KEEP}`);
  const { accepted, email } = invitation;
  return (
    <aside aria-label={t("letter.title")} className="border-b border-line bg-raised">
      <div className="page-width flex flex-wrap items-center gap-x-6 gap-y-3 py-4">
        <MailOpen aria-hidden className="size-5 shrink-0 text-deep max-sm:hidden" />
        <p className="min-w-[min(15rem,100%)] grow basis-0">{t(accepted ? "letter.accepted" : "letter.text")}</p>
        <div className="flex flex-wrap gap-2">
          {person !== undefined ? (
            <Button size="small" aria-busy={isPending} onClick={() => !isPending && keep()}>
              {t(accepted ? "letter.open" : "letter.keep")}
            </Button>
          ) : (
            <>
              <Button asChild size="small">
                <Link to={paths.register(email)} onClick={remember}>
                  {t("letter.keep")}
                </Link>
              </Button>
              <Button asChild size="small" variant="quiet">
                <Link to={paths.login()} onClick={remember}>
                  {t("letter.signIn")}
                </Link>
              </Button>
            </>
          )}
          {!accepted && (
            <Button
              size="small"
              variant="plain"
              aria-busy={decline.isPending}
              onClick={() => !decline.isPending && decline.mutate()}
            >
              {t("letter.decline")}
            </Button>
          )}
        </div>
        {decline.isError && (
          <p role="alert" className="basis-full text-danger-text">
            {t("letter.declineFailed")}
          </p>
        )}
        {error && (
          <p role="alert" className="basis-full text-danger-text">
            {t(`letter.${error}`, { email })}
          </p>
        )}
      </div>
    </aside>
  );
}
