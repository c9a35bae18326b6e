import type { UseQueryResult } from "@tanstack/react-query";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useDeleteEntry, useHiddenEntries } from "../../actions/entry-deletions.ts";
import type { MemoryContext } from "../../data/memory-context.ts";
import { type Entry, sectionEntries, useEntriesLive } from "../../data/timeline.queries.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import type { KnownMedia } from "../../media/use-story-media.ts";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { EntriesSection } from "./EntriesSection.tsx";

const EntryForm = lazyPart(async () => ({ default: (await import("./EntryForm.tsx")).EntryForm }));

const NO_ENTRIES: Entry[] = [];

interface MemberEntriesProps extends MemoryContext {
  query: UseQueryResult<Entry[]>;
  /** Photos of the entries. */
  media: KnownMedia;
}

/** Renders the timeline or programme for signed-in people. Managers edit it in place. */
export function MemberEntries({ client, memory, rights, query, media }: MemberEntriesProps) {
  const { t } = useTranslation("stories");
  useEntriesLive(client, memory.id);
  const hidden = useHiddenEntries();
  const remove = useDeleteEntry(memory.id);
  const [writing, setWriting] = useState<string>();
  const event = memory.kind === "event";
  const { birth_date: born, passing_date: died } = memory;
  const years = born ? (died ? "both" : "born") : died ? "died" : "neither";
  const entries = sectionEntries(memory.kind, query.data ?? NO_ENTRIES).filter(({ id }) => !hidden.has(id));
  const close = () => setWriting(undefined);

  const form = (entry?: Entry) => (
    <Suspense fallback={<Skeleton className="h-96 rounded-3xl" />}>
      <EntryForm client={client} memory={memory} entry={entry} onClosed={close} />
    </Suspense>
  );
  const toolsOf = (entry: Entry) => ({
    form: writing === entry.id ? form(entry) : undefined,
    // A part of the day is edited with the day's other facts.
    tools: !writing && !entry.part && (
      <div className="-my-1.5 flex text-ink-soft print:hidden">
        <IconButton icon={Pencil} label={t("life.edit", { title: entry.title })} onClick={() => setWriting(entry.id)} />
        <IconButton icon={Trash2} label={t("life.remove", { title: entry.title })} onClick={() => remove(entry)} />
      </div>
    ),
  });
  const add = (
    <Button icon={Plus} variant="quiet" onClick={() => setWriting("new")}>
      {event ? t("life.addEvent") : t("life.add")}
    </Button>
  );

  if (query.isLoadingError) return <Problem error={new Error(t("life.failed"))} retry={query.refetch} />;
  if (!rights.manage) return <EntriesSection memory={memory} entries={entries} media={media} />;
  return (
    <EntriesSection memory={memory} entries={entries} media={media} toolsOf={toolsOf}>
      {writing === "new" && (
        <section aria-label={event ? t("entry.newTitleEvent") : t("entry.newTitle")}>{form()}</section>
      )}
      {!writing && (
        <div className="print:hidden">
          {entries.length === 0 && (
            <div className="mb-5 grid max-w-prose gap-1">
              <h2 className="font-serif text-2xl">{event ? t("life.emptyTitleEvent") : t("life.emptyTitle")}</h2>
              <p className="text-ink-soft">{event ? t("life.emptyTextEvent") : t(`life.emptyText.${years}`)}</p>
            </div>
          )}
          {add}
        </div>
      )}
    </EntriesSection>
  );
}
