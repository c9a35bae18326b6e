import { useQuery } from "@tanstack/react-query";
import { CheckCheck } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate } from "react-router";
import { useBlock, useDecide } from "../actions/moderation.ts";
import { memoryQuery, rightsQuery } from "../data/memories.queries.ts";
import { type QueueItem, queueQuery, useQueueLive } from "../data/moderation.queries.ts";
import { useQueueKeys } from "../features/moderation/use-queue-keys.ts";
import { useQueuePictures } from "../features/moderation/use-queue-pictures.ts";
import { WaitingItem } from "../features/moderation/WaitingItem.tsx";
import { lazyPart } from "../lib/browser/lazy-part.ts";
import { usePageTitle } from "../lib/browser/page-title.ts";
import { useRowId } from "../lib/browser/use-row-id.ts";
import { supabase } from "../lib/request/supabase.ts";
import { paths } from "../paths.ts";
import { BackHead } from "../ui/BackHead.tsx";
import { Button } from "../ui/Button.tsx";
import { Empty } from "../ui/Empty.tsx";
import { Problem } from "../ui/Problem.tsx";
import { SegmentedControl } from "../ui/SegmentedControl.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

const RequestList = lazyPart(() => import("../features/photos/requests/RequestList.tsx"), "nothing");

const NOTHING: QueueItem[] = [];

/** `/memory/{id}/waiting`: content that needs a manager's approval, requests of people in pictures, and hidden content. */
export default function ModerationPage() {
  const { t } = useTranslation("moderation");
  const id = useRowId();
  const memory = useQuery(memoryQuery(supabase, id));
  const rights = useQuery(rightsQuery(supabase, id));
  const [state, setState] = useState<"held" | "hidden">("held");
  useQueueLive(supabase, id);
  const queue = useQuery(queueQuery(supabase, id, state));
  const items = queue.data ?? NOTHING;
  const pictures = useQueuePictures(id, items);
  usePageTitle(t("title"));

  const decide = useDecide(supabase, id);
  const block = useBlock(supabase, id);
  // Stores a promise, because the last decision can be undone before the server has answered.
  const undo = useRef<Promise<(() => void) | undefined>>(undefined);
  const remember = (done: Promise<(() => void) | undefined>) => {
    undo.current = done;
  };
  const was = state;
  const actions = {
    show: (item: QueueItem) => remember(decide([{ ...item, was }], "shown")),
    hide: (item: QueueItem) => void (state === "held" && remember(decide([{ ...item, was }], "hidden"))),
    block: (item: QueueItem) => void (isSomeone(item) && remember(block(item, true))),
    undo: () => {
      void undo.current?.then((takeBack) => takeBack?.());
      undo.current = undefined;
    },
  };
  const keys = useQueueKeys(items, actions);

  if (rights.data && !rights.data.manage) return <Navigate to={paths.memory(id)} replace />;
  return (
    <div className="page-width grid grid-cols-[minmax(0,1fr)] content-start gap-6 py-8 sm:py-12 [&>*]:max-w-4xl">
      <BackHead
        to={paths.memory(id)}
        back={t("back", { name: memory.data?.person_name ?? "…" })}
        title={t("title")}
        text={t("text")}
      />
      {rights.data && (
        <Suspense>
          <RequestList client={supabase} memoryId={id} />
        </Suspense>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SegmentedControl
          label={t("tabs")}
          value={state}
          onChange={setState}
          options={(["held", "hidden"] as const).map((value) => ({ value, label: t(value) }))}
        />
        {state === "held" && items.length > 1 && (
          <Button
            variant="quiet"
            onClick={() =>
              remember(
                decide(
                  items.map((item) => ({ ...item, was })),
                  "shown",
                ),
              )
            }
          >
            <CheckCheck aria-hidden className="size-5" />
            {t("approveAll", { count: items.length })}
          </Button>
        )}
      </div>
      {queue.isPending ? (
        <div className="grid gap-4">
          <Skeleton className="h-44 rounded-3xl" />
          <Skeleton className="h-44 rounded-3xl" />
        </div>
      ) : queue.isLoadingError ? (
        <Problem error={new Error(t("failed"))} retry={queue.refetch} />
      ) : items.length === 0 ? (
        <Empty
          picture="done"
          title={state === "held" ? t("noneTitle") : t("noneHiddenTitle")}
          text={state === "held" ? t("noneText") : t("noneHiddenText")}
        />
      ) : (
        <>
          <ul className="grid gap-4">
            {items.map((item, index) => (
              <li key={item.id}>
                <WaitingItem
                  ref={keys.hold(item.id)}
                  item={item}
                  picture={item.media ? pictures[item.media.poster_name ?? item.media.object_name] : undefined}
                  current={index === keys.current}
                  onCurrent={() => keys.setCurrent(index)}
                  onShow={() => {
                    keys.willAct();
                    actions.show(item);
                  }}
                  onHide={
                    state === "held"
                      ? () => {
                          keys.willAct();
                          actions.hide(item);
                        }
                      : undefined
                  }
                  onBlock={isSomeone(item) ? (hide) => remember(block(item, hide)) : undefined}
                />
              </li>
            ))}
          </ul>
          <p className="text-sm text-ink-soft max-sm:hidden">{t("keys")}</p>
        </>
      )}
    </div>
  );
}

const isSomeone = ({ user_id, guest_id }: QueueItem) => user_id !== null || guest_id !== null;
