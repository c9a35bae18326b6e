import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ApproximateDate } from "../../../shared/approximate-date.ts";
import { mediaUrlsQuery } from "../../data/media.queries.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toast } from "../../ui/toasts.tsx";
import { OwnAddition } from "./OwnAddition.tsx";
import {
  type Adder,
  type Addition,
  additionsQuery,
  useAdditionsLive,
  useSaveCaption,
  useSaveDate,
  useSaveWords,
  withdraw,
} from "./own-additions.queries.ts";

interface OwnAdditionsProps {
  client: SupabaseClient;
  memoryId: string;
  by: Adder;
}

/** A receipt for everything that whoever looks has added, kept by the server: it is there again after a reload. */
export function OwnAdditions({ client, memoryId, by }: OwnAdditionsProps) {
  const { t } = useTranslation(["guests", "gallery"]);
  const cache = useQueryClient();
  const query = useQuery(additionsQuery(client, memoryId, by));
  useAdditionsLive(client, memoryId, by);
  const [withdrawn, setWithdrawn] = useState<ReadonlySet<string>>(new Set());
  const additions = (query.data ?? []).filter(({ id }) => !withdrawn.has(id));
  const photos = additions.flatMap(({ kind, object_name }) => (kind === "image" ? [object_name] : []));
  const urls = useQuery(mediaUrlsQuery(client, `own-${memoryId}`, photos)).data;
  const caption = useSaveCaption(client, memoryId, by);
  const dates = useSaveDate(client, memoryId, by);
  const words = useSaveWords(client, memoryId, by);

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
              onSelect: () => dates.mutate({ id, date: taken_at }, { onError }),
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
          .then(() => cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === memoryId }));
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
      ) : query.isError ? (
        <Problem error={new Error(t("mine.failed"))} retry={query.refetch} />
      ) : additions.length === 0 ? (
        <p className="text-ink-soft">{t("mine.empty")}</p>
      ) : (
        <ul className="grid">
          {additions.map((addition) => {
            const saving = addition.kind === "words" ? words : caption;
            const mine = saving.variables?.id === addition.id;
            return (
              <OwnAddition
                key={addition.id}
                addition={addition}
                url={urls?.[addition.object_name]}
                busy={mine && saving.isPending}
                problem={mine && saving.isError ? t("mine.saveFailed") : undefined}
                onSave={(text) =>
                  addition.kind === "words"
                    ? words.mutateAsync({ id: addition.id, text, isNew: false })
                    : caption.mutateAsync({ id: addition.id, caption: text })
                }
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
