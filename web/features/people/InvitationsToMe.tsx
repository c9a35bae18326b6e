import { useQuery } from "@tanstack/react-query";
import { Gift } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { InvitationCard, useDeclined } from "./InvitationCard.tsx";
import { myInvitationsQuery, usePendingInvitationsLive } from "./invitations.queries.ts";
import { offersQuery } from "./people.queries.ts";

/** Returns the signed-in person's open invitations and handover offers. `settled`: both queries have finished. */
export function usePendingInvitations() {
  const { id, email } = useUser();
  usePendingInvitationsLive(supabase, { id, email });
  const invitations = useQuery(myInvitationsQuery(supabase, id));
  const offers = useQuery(offersQuery(supabase, id));
  const declined = useDeclined();
  return {
    invitations: (invitations.data ?? []).filter(({ id }) => !declined.has(id)),
    offers: offers.data ?? [],
    settled: !invitations.isPending && !offers.isPending,
  };
}

/** Renders the person's invitations and handover offers, or nothing if there are none. */
export function InvitationsToMe({
  invitations,
  offers,
}: Pick<ReturnType<typeof usePendingInvitations>, "invitations" | "offers">) {
  const { t } = useTranslation("people");
  if (invitations.length === 0 && offers.length === 0) return null;
  return (
    <section aria-labelledby="asked-title" className="page-width grid gap-4 pt-8 sm:pt-12">
      <h2 id="asked-title" className="font-serif text-2xl">
        {t("mine.title")}
      </h2>
      <ul className="grid gap-4 lg:grid-cols-2">
        {invitations.map((invitation) => (
          <li key={invitation.id}>
            <InvitationCard invitation={invitation} />
          </li>
        ))}
        {offers.map(({ id, person_name }) => (
          <li key={id} className="grid gap-4 rounded-3xl border border-line bg-raised p-5 shadow-soft sm:p-6">
            <div className="flex items-start gap-4">
              <Gift aria-hidden className="mt-1 size-6 shrink-0 text-deep" />
              <div className="grid min-w-0 gap-1">
                <h3 dir="auto" className="font-serif text-xl leading-snug wrap-anywhere">
                  {person_name}
                </h3>
                <p className="text-ink-soft">{t("handover.toYou")}</p>
              </div>
            </div>
            <Button asChild className="justify-self-start">
              <Link to={paths.memory(id)}>{t("handover.look")}</Link>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
