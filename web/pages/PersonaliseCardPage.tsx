import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { cardsQuery } from "../features/cards/cards.queries.ts";
import { PersonaliseCard } from "../features/cards/PersonaliseCard.tsx";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { useRowId } from "../lib/browser/use-row-id.ts";
import { supabase } from "../lib/request/supabase.ts";
import { useUser } from "../lib/session/session.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Problem } from "../ui/Problem.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

/** /cards/{id}: a card's engraving, memory and delivery address, which can be changed until engraving begins. */
export default function PersonaliseCardPage() {
  const { t } = useTranslation("ownCards");
  const user = useUser();
  const id = useRowId();
  usePageTitle(t("personalise.title"));
  const cards = useQuery(cardsQuery(supabase, user.id));
  const card = cards.data?.find((one) => one.id === id);
  if (cards.data && !card) {
    return (
      <Empty picture="signpost" page title={t("personalise.missing")} text={t("personalise.missingText")}>
        <Button asChild>
          <Link to={paths.cards()}>{t("personalise.back")}</Link>
        </Button>
      </Empty>
    );
  }
  return (
    <div className="page-width grid gap-8 pt-8 pb-20 sm:pt-12">
      <header className="grid justify-items-start gap-2">
        <Link to={paths.cards()} className="inline-flex min-h-11 items-center gap-2">
          <ArrowLeft aria-hidden className="size-5" />
          {t("personalise.back")}
        </Link>
        <h1 className="font-serif text-4xl leading-tight sm:text-5xl">{t("personalise.title")}</h1>
        <p className="text-ink-soft">
          {t(
            card && card.making !== "waiting" && card.making !== "ordered"
              ? "personalise.engraved"
              : "personalise.editable",
          )}
        </p>
      </header>
      {cards.isPending ? (
        <Skeleton className="h-[34rem] rounded-3xl" />
      ) : card ? (
        <PersonaliseCard key={card.id} card={card} userId={user.id} />
      ) : (
        <Problem error={new Error(t("mine.failed"))} retry={cards.refetch} />
      )}
    </div>
  );
}
