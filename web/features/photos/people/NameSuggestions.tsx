import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { searchKey } from "../../../../shared/search-key.ts";
import type { Photo } from "../../../data/media.queries.ts";
import { type NameSuggestion, nameSuggestionsQuery, useSettleSuggestion } from "../../../data/pictured.queries.ts";
import type { Pictured } from "../../../data/pictured.ts";
import type { SupabaseClient } from "../../../lib/request/database-client.ts";
import { Button } from "../../../ui/Button.tsx";
import type { Naming } from "./use-naming.ts";

interface NameSuggestionsProps {
  client: SupabaseClient;
  photo: Photo;
  pictured: Pictured;
  naming: Naming;
}

/** Renders the names that the photo's file brings, to be taken or declined. */
export function NameSuggestions({ client, photo, pictured, naming }: NameSuggestionsProps) {
  const { t } = useTranslation("pictured");
  const { data: suggestions = [] } = useQuery(nameSuggestionsQuery(client, photo.id));
  const settle = useSettleSuggestion(client, photo.id);
  if (suggestions.length === 0) return null;
  const take = ({ name, x, y }: NameSuggestion) => {
    const isSame = (other: string) => searchKey(other) === searchKey(name);
    const person = pictured.people.find((one) => [one.name, ...one.otherNames].some(isSame));
    naming.name(
      photo,
      person ? { id: person.id, name: person.name, isNew: false } : { id: crypto.randomUUID(), name, isNew: true },
      x === null || y === null ? undefined : { x, y },
    );
    settle.mutate({ name, settled: true });
  };
  return (
    <section aria-label={t("file.title")} className="grid gap-2 rounded-2xl bg-wash p-4">
      <p className="text-ink-soft">{t("file.text")}</p>
      <ul className="m-0 grid list-none gap-1 p-0">
        {suggestions.map((suggestion) => (
          <li key={suggestion.name} className="flex flex-wrap items-center gap-x-3">
            <span dir="auto" className="min-w-0 grow font-semibold wrap-anywhere">
              {suggestion.name}
            </span>
            <Button
              variant="quiet"
              size="small"
              aria-label={t("file.takeName", { name: suggestion.name })}
              onClick={() => take(suggestion)}
            >
              {t("file.take")}
            </Button>
            <Button
              variant="plain"
              size="small"
              aria-label={t("file.declineName", { name: suggestion.name })}
              onClick={() => settle.mutate({ name: suggestion.name, settled: true })}
            >
              {t("file.decline")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
