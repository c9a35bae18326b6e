import { useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { type MouseEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { To } from "react-router";
import { numberText } from "../../../shared/number-text.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { useThumbnails } from "../../media/use-thumbnails.ts";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ResultLine } from "./ResultLine.tsx";
import { placeInMemory, placeOf } from "./result-place.ts";
import { GROUP_SIZE, isSearchable, type ResultKind, type SearchResult, searchQuery } from "./search.queries.ts";

/** Kinds of results in the order of their groups. */
const KINDS: readonly ResultKind[] = ["memory", "album", "person", "photo", "moment", "story", "comment", "file"];
const NONE: readonly SearchResult[] = [];

interface SearchResultsProps {
  client: SupabaseClient;
  find: string;
  /** The memory to search in, on its own page; null for everything. */
  memoryId: string | null;
  /** Called when a result is opened, with its address. */
  onOpen?: (event: MouseEvent, to: To) => void;
}

/** Renders the results of a search in groups, or what to do instead. */
export function SearchResults({ client, find, memoryId, onOpen }: SearchResultsProps) {
  const { t, i18n } = useTranslation("search");
  const [chosen, setChosen] = useState<{ kind: ResultKind; find: string }>();
  const kind = chosen?.find === find ? chosen.kind : null;
  const query = useQuery(searchQuery(client, find, { memoryId, kind }));
  const results = query.data ?? NONE;
  const pictures = useMemo(() => results.flatMap(({ picture }) => picture ?? []), [results]);
  const thumbnail = useThumbnails("search", pictures, client);

  if (!isSearchable(find)) return <p className="max-w-2xl text-ink-soft">{t("hint")}</p>;
  if (query.isLoadingError) return <Problem error={new Error(t("failed"))} retry={query.refetch} />;
  const count = t("results", { count: results.length, number: numberText(results.length, i18n.language) });
  return (
    <div aria-busy={query.isPlaceholderData} className="grid gap-8">
      <p role="status" className="text-ink-soft">
        {query.isPending ? t("waiting") : results.length === 0 ? "" : results[0]?.similar ? t("similar") : count}
      </p>
      {query.isPending && <Waiting />}
      {query.data?.length === 0 && <Empty picture="signpost" title={t("none", { find })} text={t("noneText")} />}
      {kind && (
        <Button
          icon={ArrowLeft}
          variant="plain"
          className="-ms-4 justify-self-start"
          onClick={() => setChosen(undefined)}
        >
          {t("back")}
        </Button>
      )}
      {KINDS.filter((group) => results.some((result) => result.kind === group)).map((group) => {
        const members = results.filter((result) => result.kind === group);
        return (
          <section key={group} aria-labelledby={`results-${group}`} className="grid gap-2">
            <h2 id={`results-${group}`} className="font-serif text-2xl">
              {t(`kinds.${group}`)}
            </h2>
            <ul className="-mx-3 my-0 grid list-none gap-x-6 p-0 lg:has-[>:nth-child(2)]:grid-cols-2">
              {members.map((result) => {
                const to = memoryId === null ? placeOf(result) : placeInMemory(result);
                return (
                  <li key={result.id}>
                    <ResultLine
                      result={result}
                      find={find}
                      to={to}
                      url={result.picture ? thumbnail(result.picture) : undefined}
                      named={memoryId === null}
                      {...(onOpen && { onOpen: (event: MouseEvent) => onOpen(event, to) })}
                    />
                  </li>
                );
              })}
            </ul>
            {!kind && members.length === GROUP_SIZE && (
              <Button
                variant="plain"
                className="-ms-4 justify-self-start"
                onClick={() => setChosen({ kind: group, find })}
              >
                {t("all", { group: t(`kinds.${group}`) })}
              </Button>
            )}
          </section>
        );
      })}
    </div>
  );
}

const Waiting = () => (
  <div className="grid gap-3">
    <Skeleton className="h-18" />
    <Skeleton className="h-18" />
    <Skeleton className="h-18" />
  </div>
);
