import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { type DayPart, streamsQuery } from "../../data/day.queries.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { dayText } from "./day-times.ts";
import { PartFacts } from "./PartFacts.tsx";

const CalendarButtons = lazyPart(() => import("./CalendarButtons.tsx"), "nothing");

interface DaySectionProps {
  client: SupabaseClient;
  memory: { id: string };
  parts: readonly DayPart[];
  /** Whether the day had passed when the page opened. */
  past: boolean;
  /** What replaces a part while it is edited, and the button that edits it. */
  toolsOf?: (part: DayPart) => { form?: ReactNode; tools?: ReactNode };
  children?: ReactNode;
}

/** The parts of a memory's day in full; once the day has passed, folded. Renders nothing without parts and children. */
export function DaySection({ client, memory, parts, past, toolsOf, children }: DaySectionProps) {
  const { t, i18n } = useTranslation("day");
  const streams = useQuery(streamsQuery(client, memory.id, parts)).data;
  if (parts.length === 0 && !children) return null;
  const days = [...new Set(parts.map(({ on_date }) => on_date))];
  const list = (
    <div className="grid gap-6">
      {days.map((day) => (
        <div key={day} className="grid gap-3">
          <h3 className="font-serif text-xl text-ink-soft">{dayText(day, i18n.language)}</h3>
          <ol className="m-0 grid list-none items-start gap-4 p-0 @3xl:grid-cols-2">
            {parts
              .filter(({ on_date }) => on_date === day)
              .map((part) => {
                const { form, tools } = toolsOf?.(part) ?? {};
                return (
                  <li key={part.id} className={form ? "@3xl:col-span-2" : undefined}>
                    {form ?? (
                      <PartFacts
                        part={part}
                        stream={streams?.find(({ entry_id }) => entry_id === part.id)?.url}
                        past={past}
                        tools={tools}
                      >
                        {!past && (
                          <Suspense fallback={<div className="h-11" />}>
                            <CalendarButtons client={client} memoryId={memory.id} part={part} />
                          </Suspense>
                        )}
                      </PartFacts>
                    )}
                  </li>
                );
              })}
          </ol>
        </div>
      ))}
      {parts.length > 0 && !past && (
        <Suspense fallback={<div className="h-11" />}>
          <div>
            <CalendarButtons client={client} memoryId={memory.id} />
          </div>
        </Suspense>
      )}
    </div>
  );
  return (
    <section id="day" aria-label={t("section")} className="@container grid gap-5">
      {parts.length > 0 &&
        (past ? (
          <details className="rounded-3xl border border-line bg-raised px-5 py-2 sm:px-6">
            <summary className="min-h-11 cursor-pointer content-center font-serif text-xl">{t("titlePast")}</summary>
            <div className="pt-2 pb-4">{list}</div>
          </details>
        ) : (
          <>
            <h2 className="font-serif text-2xl sm:text-3xl">{t("title")}</h2>
            {list}
          </>
        ))}
      {children}
    </section>
  );
}
