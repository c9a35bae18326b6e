import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link2, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { supabase } from "../../lib/request/supabase.ts";
import { Button } from "../../ui/Button.tsx";
import { LoadMore } from "../../ui/LoadMore.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { LinkRow } from "./links/LinkRow.tsx";
import {
  cardLinkCountQuery,
  linksQuery,
  type Shareable,
  type ShareLink,
  useCreateLink,
  useLinksLive,
} from "./links/links.queries.ts";

/** Everything about sharing a memory or an album: its links, one of them open at a time. */
export function SharePanel({ of }: { of: Shareable }) {
  const { t } = useTranslation("sharing");
  const links = useInfiniteQuery(linksQuery(supabase, of));
  const cardCount = useQuery(cardLinkCountQuery(supabase, of)).data ?? 0;
  const cards = useInfiniteQuery({ ...linksQuery(supabase, of, true), enabled: cardCount > 0 });
  // Undefined until somebody has chosen: then the only link is open, of several none.
  const [chosen, setChosen] = useState<string | null>();
  const create = useCreateLink(supabase, of);
  useLinksLive(supabase, of, [...(links.data ?? []), ...(cards.data ?? [])]);
  if (links.isPending) return <Skeleton className="h-72" />;
  if (!links.data) return <Problem error={new Error(t("failed"))} retry={links.refetch} />;

  const made = links.data;
  const open = chosen === undefined ? (made.length === 1 ? made[0]?.id : null) : chosen;
  const none = made.length === 0 && cardCount === 0;
  const row = (link: ShareLink) => (
    <LinkRow
      key={link.id}
      link={link}
      of={of}
      first={of.kind === "memory" && link.id === made[0]?.id}
      cards={cardCount > 0}
      open={link.id === open}
      onToggle={() => setChosen(link.id === open ? null : link.id)}
    />
  );
  return (
    <div className="grid gap-4">
      {none && <p>{t("first.text")}</p>}
      {!none && <ul className="grid gap-3">{made.map(row)}</ul>}
      <LoadMore pages={links} />
      {/* A memory may have a hundred cards, each with a link of its own: they are shown apart. */}
      {cardCount > 0 && (
        <details className="grid gap-3">
          <summary className="flex min-h-11 cursor-pointer items-center font-semibold">
            {t("list.cards", { count: cardCount })}
          </summary>
          <ul className="grid gap-3 pt-2">{cards.data?.map(row)}</ul>
          <LoadMore pages={cards} />
        </details>
      )}
      {create.isError && (
        <p role="alert" className="text-danger-text">
          {t("first.failed")}
        </p>
      )}
      <Button
        variant={none ? "primary" : "quiet"}
        className="justify-self-start"
        aria-busy={create.isPending}
        onClick={() => !create.isPending && create.mutate("", { onSuccess: setChosen })}
      >
        {none ? <Link2 aria-hidden className="size-5" /> : <Plus aria-hidden className="size-5" />}
        {none ? t("first.create") : t("list.add")}
      </Button>
      {!none && <p className="text-sm text-ink-soft">{t("list.addText")}</p>}
    </div>
  );
}
