import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Gift } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { toast } from "../../ui/toasts.tsx";
import {
  handoverQuery,
  type PeopleContext,
  peopleQuery,
  useOffer,
  usePeopleLive,
  useTakeOver,
} from "./people.queries.ts";

/** Renders the offer to hand this memory over to the reader, or nothing without an offer. */
export default function HandoverOffer({ memory }: PeopleContext) {
  const { id: userId } = useUser();
  usePeopleLive(supabase, memory.id);
  const offered = useQuery(handoverQuery(supabase, memory.id));
  return offered.data === userId ? <Offer memoryId={memory.id} /> : null;
}

function Offer({ memoryId }: { memoryId: string }) {
  const { t } = useTranslation("people");
  const people = useInfiniteQuery(peopleQuery(supabase, memoryId));
  const takeOver = useTakeOver(supabase, memoryId);
  const decline = useOffer(supabase, memoryId);
  const owner = people.data?.find(({ role }) => role === "owner")?.name;
  const why = takeOver.error?.why ?? (decline.isError ? "failed" : undefined);
  const busy = takeOver.isPending || decline.isPending;
  // A success is shown in a toast, because the card disappears with the answer. A failure is shown in the card.
  const answer = (answered: Promise<void>, title: string) =>
    answered.then(
      () => toast({ title }),
      () => {},
    );
  return (
    <section
      aria-labelledby="offer-title"
      className="grid gap-4 rounded-3xl border border-line bg-raised p-5 shadow-soft sm:p-6"
    >
      <div className="flex items-start gap-4">
        <Gift aria-hidden className="mt-1 size-6 shrink-0 text-deep" />
        <div className="grid gap-1">
          <h2 id="offer-title" className="font-serif text-xl leading-snug">
            {owner ? t("handover.toYouFrom", { name: owner }) : t("handover.toYou")}
          </h2>
          <p className="text-ink-soft">{t("handover.toYouText")}</p>
        </div>
      </div>
      {why && (
        <p role="alert" className="text-danger-text">
          {t(`handover.${why}`)}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {why === "storageFull" || why === "memoryLimit" ? (
          <Button asChild>
            <Link to={paths.plans()}>{t("handover.plans")}</Link>
          </Button>
        ) : null}
        <Button
          variant={why ? "quiet" : "primary"}
          aria-busy={busy}
          onClick={() => !busy && void answer(takeOver.mutateAsync(), t("handover.accepted"))}
        >
          {t("handover.accept")}
        </Button>
        <Button variant="quiet" onClick={() => !busy && void answer(decline.mutateAsync(null), t("handover.declined"))}>
          {t("handover.decline")}
        </Button>
      </div>
    </section>
  );
}
