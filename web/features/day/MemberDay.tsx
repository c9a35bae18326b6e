import { useQuery } from "@tanstack/react-query";
import { BookOpenText, CalendarPlus, Pencil } from "lucide-react";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useDeleteEntry, useHiddenEntries } from "../../actions/entry-deletions.ts";
import { type DayPart, streamsQuery } from "../../data/day.queries.ts";
import type { Memory } from "../../data/memories.queries.ts";
import type { MemoryContext } from "../../data/memory-context.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { serverNow } from "../../lib/request/server-clock.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { DaySection } from "./DaySection.tsx";

const HostReplies = lazyPart(async () => ({ default: (await import("./replies/HostReplies.tsx")).HostReplies }));
const MemberReply = lazyPart(async () => ({ default: (await import("./replies/MemberReply.tsx")).MemberReply }));
const PartForm = lazyPart(async () => ({ default: (await import("./PartForm.tsx")).PartForm }));

interface MemberDayProps extends MemoryContext {
  parts: readonly DayPart[];
  /** Whether the day had passed when the page opened. */
  past: boolean;
  /** Whether the form of a new part is open. */
  adding: boolean;
  onAdding: (adding: boolean) => void;
}

/** The memory's day for signed-in people. Managers edit it in place. */
export function MemberDay({ client, memory, rights, past, adding, onAdding, ...loaded }: MemberDayProps) {
  const { t } = useTranslation("day");
  const hidden = useHiddenEntries();
  const remove = useDeleteEntry(memory.id);
  const streams = useQuery({ ...streamsQuery(client, memory.id, loaded.parts), enabled: false });
  // A part in the form, with the parts as they were: if others change its day, it keeps its place and its form.
  const [editing, setEditing] = useState<{ id: string; among: readonly DayPart[] }>();
  const [now] = useState(serverNow);
  const parts = editing?.among ?? loaded.parts.filter(({ id }) => !hidden.has(id));
  const waiting = <Skeleton className="h-96 rounded-3xl" />;
  if (!rights.manage) {
    return (
      <DaySection client={client} memory={memory} parts={parts} past={past}>
        {asksReplies(parts) && !past && (
          <Suspense fallback={<Skeleton className="h-46 rounded-3xl" />}>
            <MemberReply client={client} memoryId={memory.id} parts={parts} />
          </Suspense>
        )}
      </DaySection>
    );
  }

  const close = () => {
    setEditing(undefined);
    onAdding(false);
  };
  const isOpen = adding || editing !== undefined;
  const offer = parts.length === 0 ? isAhead(memory, now) && t("edit.first") : t("edit.add");
  const toolsOf = (part: DayPart) => {
    // The address of a livestream arrives after the parts.
    const ready = part.stream_from === null || streams.data !== undefined;
    const stream_url = streams.data?.find(({ entry_id }) => entry_id === part.id)?.url ?? "";
    const { asks_replies: _asks, begins_at: _begin, finishes_at: _end, ...facts } = part;
    return {
      form:
        editing?.id === part.id && ready ? (
          <Suspense fallback={waiting}>
            <PartForm
              client={client}
              memory={memory}
              stored={{ ...facts, stream_url }}
              onClosed={close}
              onRemove={() => {
                remove(part);
                close();
              }}
            />
          </Suspense>
        ) : undefined,
      tools: !isOpen && (
        <IconButton
          icon={Pencil}
          label={t("edit.change", { title: part.title })}
          className="-my-1.5"
          onClick={() => setEditing({ id: part.id, among: parts })}
        />
      ),
    };
  };
  return (
    <DaySection client={client} memory={memory} parts={parts} past={past} toolsOf={toolsOf}>
      {adding ? (
        <section aria-label={t("edit.newTitle")}>
          <Suspense fallback={waiting}>
            <PartForm client={client} memory={memory} day={parts.at(-1)?.on_date} onClosed={close} />
          </Suspense>
        </section>
      ) : (
        offer &&
        !isOpen && (
          <div>
            <Button icon={CalendarPlus} variant="quiet" onClick={() => onAdding(true)}>
              {offer}
            </Button>
          </div>
        )
      )}
      {!isOpen && (parts.length > 0 || offer) && (
        <div>
          <Button asChild variant="quiet">
            <Link to={paths.service(memory.id)}>
              <BookOpenText aria-hidden className="size-5 shrink-0" />
              {t(`service.${memory.kind}`)}
            </Link>
          </Button>
        </div>
      )}
      {parts.length > 0 && (
        <Suspense fallback={<Skeleton className="h-24 rounded-3xl" />}>
          <HostReplies client={client} memoryId={memory.id} parts={parts} />
        </Suspense>
      )}
    </DaySection>
  );
}

const asksReplies = (parts: readonly DayPart[]) => parts.some(({ asks_replies }) => asks_replies);

const MONTH_MS = 30 * 24 * 3600_000;

/** Whether the day may still be ahead: of an event by its date, otherwise in the first month of the memory. */
const isAhead = ({ event_date, created_at }: Pick<Memory, "event_date" | "created_at">, now: number) =>
  Date.parse(event_date ?? "") > now || Date.parse(created_at) + MONTH_MS > now;
