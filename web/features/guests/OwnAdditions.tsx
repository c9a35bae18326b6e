import { useQuery, useQueryClient } from "@tanstack/react-query";
import { AudioLines, CalendarClock, EyeOff, Film, Hourglass, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ApproximateDate } from "../../../shared/approximate-date.ts";
import { writtenDate } from "../../../shared/written-date.ts";
import { useUndoProblem } from "../../actions/undo-problem.ts";
import { mediaUrlsQuery } from "../../data/media.queries.ts";
import { EditConflict } from "../../data/save-over.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { refreshMatching } from "../../lib/request/refresh.ts";
import { renditionUrl } from "../../lib/request/rendition-url.ts";
import { DateForm } from "../../media/DateForm.tsx";
import { Picture } from "../../media/Picture.tsx";
import { Button } from "../../ui/Button.tsx";
import { ConflictNote } from "../../ui/ConflictNote.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toast } from "../../ui/toasts.tsx";
import {
  type Adder,
  type Addition,
  type AdditionText,
  additionsQuery,
  textOf,
  useAdditionsLive,
  useSaveDate,
  useSaveText,
  withdraw,
} from "./own-additions.queries.ts";
import { TextForm } from "./TextForm.tsx";

interface OwnAdditionsProps {
  client: SupabaseClient;
  memoryId: string;
  by: Adder;
}

/** The visitor's own additions, loaded from the server. */
export function OwnAdditions({ client, memoryId, by }: OwnAdditionsProps) {
  const { t } = useTranslation(["guests", "gallery"]);
  const cache = useQueryClient();
  const query = useQuery(additionsQuery(client, memoryId, by));
  useAdditionsLive(client, memoryId, by);
  const [withdrawn, setWithdrawn] = useState<ReadonlySet<string>>(new Set());
  const additions = (query.data ?? []).filter(({ id }) => !withdrawn.has(id));
  const photos = additions.flatMap(({ kind, object_name }) => (kind === "image" ? [object_name] : []));
  const urls = useQuery(mediaUrlsQuery(client, `own-${memoryId}`, photos)).data;
  const saving = useSaveText(client, memoryId, by);
  const dates = useSaveDate(client, memoryId, by);
  const undoFailed = useUndoProblem();

  const back = (id: string) => setWithdrawn((before) => new Set([...before].filter((other) => other !== id)));
  const setDate = ({ id, taken_at }: Addition, date: ApproximateDate | null) => {
    const onError = () =>
      toast({ title: t("gallery:date.failed"), description: t("gallery:date.failedText"), tone: "problem" });
    dates.mutate(
      { id, date },
      {
        onError,
        onSuccess: () =>
          toast({
            title: t("gallery:date.done", { count: 1 }),
            tone: "success",
            action: {
              label: t("gallery:date.undo"),
              onSelect: () =>
                dates.mutate(
                  { id, date: taken_at, expected: date },
                  { onError: (error) => undoFailed(error, onError) },
                ),
            },
          }),
      },
    );
  };
  const takeBack = (addition: Addition) => {
    const { id } = addition;
    setWithdrawn((before) => new Set([...before, id]));
    let undone = false;
    toast({
      title: t("mine.withdrawn"),
      action: {
        label: t("mine.undo"),
        onSelect: () => {
          undone = true;
          back(id);
        },
      },
      onClosed: () => {
        if (undone) return;
        void withdraw(client, addition)
          .catch(() => {
            back(id);
            toast({ title: t("mine.withdrawFailed"), tone: "problem" });
          })
          .then(() => refreshMatching(cache, { predicate: ({ queryKey }) => queryKey[1] === memoryId }));
      },
    });
  };

  return (
    <section aria-labelledby="own-additions" className="grid gap-3">
      <h3 id="own-additions" className="font-serif text-xl">
        {t("mine.title")}
      </h3>
      {query.isPending ? (
        <Skeleton className="h-16 rounded-lg" />
      ) : query.isLoadingError ? (
        <Problem error={new Error(t("mine.failed"))} retry={query.refetch} />
      ) : additions.length === 0 ? (
        <p className="text-ink-soft">{t("mine.empty")}</p>
      ) : (
        <ul className="grid">
          {additions.map((addition) => {
            const mine = saving.variables?.addition.id === addition.id;
            const conflict = mine && saving.error instanceof EditConflict ? saving.error : undefined;
            return (
              <OwnAddition
                key={addition.id}
                addition={addition}
                url={urls?.[addition.object_name]}
                busy={mine && saving.isPending}
                problem={mine && saving.isError && !conflict ? t("mine.saveFailed") : undefined}
                conflict={conflict as EditConflict<AdditionText> | undefined}
                onSave={(text, base) => saving.mutateAsync({ addition, base, text })}
                onDate={(date) => setDate(addition, date)}
                onWithdraw={() => takeBack(addition)}
              />
            );
          })}
        </ul>
      )}
    </section>
  );
}

interface OwnAdditionProps {
  addition: Addition;
  /** The signed URL of a photo. */
  url?: string;
  busy: boolean;
  problem?: string;
  /** Somebody else's change of the text that was being edited. */
  conflict?: EditConflict<AdditionText>;
  /** Saves plain text over the text on which it is based. */
  onSave: (text: string, base: AdditionText) => Promise<unknown>;
  onDate: (date: ApproximateDate | null) => void;
  onWithdraw: () => void;
}

const LONGEST = { caption: 2000, words: 20_000 };

/** One of the visitor's additions with its actions. */
function OwnAddition({ addition, url, busy, problem, conflict, onSave, onDate, onWithdraw }: OwnAdditionProps) {
  const { kind, file_name, state, text, moderation, created_at, taken_at } = addition;
  const { t, i18n } = useTranslation("guests");
  const [editing, setEditing] = useState<"text" | "date">();
  const [base, setBase] = useState<AdditionText>(addition);
  const [written, setWritten] = useState("");
  const plain = ({ text: stored }: AdditionText) => (kind === "words" ? textOf(stored) : stored);
  const longest = kind === "words" ? LONGEST.words : LONGEST.caption;
  const end = () => setEditing(undefined);
  const saveText = (value: string, over = base) => {
    setWritten(value);
    void onSave(value, over).then(end, () => {});
  };
  const both = conflict && [plain(conflict.stored), written].filter(Boolean).join("\n\n");
  const time = new Intl.DateTimeFormat(localeOf(i18n.language), { timeStyle: "short" }).format(new Date(created_at));
  const ownText = plain(addition);
  const name = kind === "words" ? ownText.slice(0, 40) : file_name;
  const edit = kind === "words" ? "editWords" : text ? "editCaption" : "addCaption";
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-3 border-t border-line py-4 first:border-0 first:pt-0 last:pb-0">
      <div className="flex items-start gap-3">
        {kind !== "words" && (
          <Picture
            photo={{ colour: null }}
            src={url && kind === "image" && state === "ready" ? renditionUrl(url, 320) : undefined}
            sizes="64px"
            alt=""
            className="size-16 shrink-0 rounded-lg"
          >
            {kind === "audio" && (
              <span className="absolute inset-0 grid place-content-center text-ink-soft">
                <AudioLines aria-hidden className="size-6" />
              </span>
            )}
            {kind === "video" && (
              <span className="absolute inset-0 grid place-content-center text-ink-soft">
                <Film aria-hidden className="size-6" />
              </span>
            )}
          </Picture>
        )}
        <div className="grid min-w-0 grow gap-1">
          <p className="text-sm text-ink-soft tabular-nums wrap-anywhere">
            {kind === "words" ? t("mine.words", { time }) : t("mine.received", { time, name: file_name })}
          </p>
          {taken_at && (
            <p className="text-sm text-ink-soft">{t("mine.taken", { date: writtenDate(taken_at, i18n.language) })}</p>
          )}
          {editing !== "text" && ownText && (
            <p dir="auto" className="line-clamp-6 whitespace-pre-line wrap-anywhere">
              {ownText}
            </p>
          )}
          {moderation !== "shown" && (
            <p className="flex items-center gap-2 text-sm font-semibold text-ink-soft">
              {moderation === "held" ? (
                <Hourglass aria-hidden className="size-4 shrink-0" />
              ) : (
                <EyeOff aria-hidden className="size-4 shrink-0" />
              )}
              {t(`mine.${moderation}`)}
            </p>
          )}
        </div>
      </div>
      {conflict && editing === "text" && (
        <ConflictNote
          changes={[
            {
              label: kind === "words" ? t("write.label") : t("mine.caption"),
              theirs: plain(conflict.stored),
              mine: written,
            },
          ]}
          onMine={() => saveText(written, conflict.stored)}
          onTheirs={end}
          onBoth={both && both.length <= longest ? () => saveText(both, conflict.stored) : undefined}
        />
      )}
      {editing === "date" ? (
        <DateForm
          focused
          date={taken_at}
          removable={taken_at !== null}
          onSave={(date) => {
            onDate(date);
            setEditing(undefined);
          }}
          onCancel={() => setEditing(undefined)}
        />
      ) : editing === "text" ? (
        <TextForm
          label={kind === "words" ? t("write.label") : t("mine.caption")}
          submit={t("write.save")}
          initial={plain(base)}
          longest={longest}
          mayBeEmpty={kind !== "words"}
          busy={busy}
          problem={problem}
          onCancel={() => setEditing(undefined)}
          onSave={saveText}
        />
      ) : (
        <div className="flex flex-wrap gap-1">
          <Button
            variant="quiet"
            size="small"
            onClick={() => {
              setBase(addition);
              setEditing("text");
            }}
          >
            <Pencil aria-hidden className="size-4" />
            {t(`mine.${edit}`)}
          </Button>
          {kind !== "words" && (
            <Button variant="quiet" size="small" onClick={() => setEditing("date")}>
              <CalendarClock aria-hidden className="size-4" />
              {t(taken_at ? "mine.changeDate" : "mine.setDate")}
            </Button>
          )}
          <Button variant="plain" size="small" aria-label={t("mine.withdrawNamed", { name })} onClick={onWithdraw}>
            <Trash2 aria-hidden className="size-4" />
            {t("mine.withdraw")}
          </Button>
        </div>
      )}
    </li>
  );
}
