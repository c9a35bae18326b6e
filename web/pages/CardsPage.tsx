import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { CardRow } from "../features/cards/CardRow.tsx";
import { cardsQuery, type MetalCardRow, useCardsLive } from "../features/cards/cards.queries.ts";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { supabase } from "../lib/request/supabase.ts";
import { useUser } from "../lib/session/session.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Problem } from "../ui/Problem.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

const FIRST = 12;

/** /cards: the person's metal cards, with the memory that each opens and its production status. */
export default function CardsPage() {
  const { t } = useTranslation("ownCards");
  const user = useUser();
  usePageTitle(t("mine.title"));
  useCardsLive(supabase, user.id);
  const cards = useQuery(cardsQuery(supabase, user.id));
  return (
    <div className="page-column grid gap-8 pt-8 pb-20 sm:pt-12">
      <header className="grid justify-items-start gap-4">
        <div className="grid gap-2">
          <h1 className="font-serif text-4xl leading-tight sm:text-5xl">{t("mine.title")}</h1>
          <p className="text-ink-soft">{t("mine.lead")}</p>
        </div>
        <Button asChild variant="quiet">
          <Link to={paths.shop()}>{t("mine.shop")}</Link>
        </Button>
      </header>
      {cards.isPending ? (
        <div className="grid gap-4" aria-busy>
          <Skeleton className="h-40 rounded-3xl" />
          <Skeleton className="h-40 rounded-3xl" />
        </div>
      ) : cards.isLoadingError ? (
        <Problem error={new Error(t("mine.failed"))} retry={cards.refetch} />
      ) : (
        <Cards cards={cards.data} userId={user.id} />
      )}
    </div>
  );
}

function Cards({ cards, userId }: { cards: MetalCardRow[]; userId: string }) {
  const { t } = useTranslation("ownCards");
  const [all, setAll] = useState(false);
  const waiting = cards.filter(({ making }) => making === "waiting");
  const others = cards.filter(({ making }) => making !== "waiting");
  if (cards.length === 0) return <Empty picture="cards" title={t("mine.emptyTitle")} text={t("mine.emptyText")} />;
  return (
    <>
      {waiting[0] && (
        <section className="flex flex-wrap items-center justify-between gap-4 rounded-3xl bg-wash p-5 sm:p-7">
          <div className="grid gap-1">
            <h2 className="font-serif text-2xl">{t("mine.waiting", { count: waiting.length })}</h2>
            <p>{t("mine.waitingText")}</p>
          </div>
          <Button asChild>
            <Link to={paths.card(waiting[0].id)}>{t("mine.personalise")}</Link>
          </Button>
        </section>
      )}
      <ul className="m-0 grid list-none gap-4 p-0">
        {(all ? others : others.slice(0, FIRST)).map((card) => (
          <CardRow key={card.id} card={card} userId={userId} />
        ))}
      </ul>
      {!all && others.length > FIRST && (
        <Button variant="quiet" className="justify-self-center" onClick={() => setAll(true)}>
          {t("mine.more", { count: others.length })}
        </Button>
      )}
    </>
  );
}
