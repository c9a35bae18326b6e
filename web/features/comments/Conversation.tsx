import { MessageCircle } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { numberText } from "../../../shared/number-text.ts";
import type { MemoryAtAGlance } from "../../data/memories.queries.ts";
import { isWaiting } from "../../data/reveal.ts";
import { openPanel, showPanel } from "../../lib/browser/side-panel.ts";
import { browserStorage, keepJson, readJson } from "../../lib/browser/storage.ts";
import { useStore } from "../../lib/browser/store.ts";
import { useScrollToHash } from "../../lib/browser/use-scroll-to-hash.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { serverNow } from "../../lib/request/server-clock.ts";
import { CornerButton } from "../../ui/CornerButton.tsx";
import { SidePanel } from "../../ui/SidePanel.tsx";
import { isBy } from "./comment.ts";
import { Discussion } from "./Discussion.tsx";
import type { Thread } from "./threads.ts";
import { useConversation } from "./use-conversation.ts";

interface ConversationProps {
  client: SupabaseClient;
  memory: Pick<MemoryAtAGlance, "id" | "kind" | "reveal">;
  rights: { comment: boolean; manage: boolean };
}

/** A memory's comments on its page; a button opens them in a panel while they are out of view. */
export default function Conversation({ client, memory, rights }: ConversationProps) {
  const { t, i18n } = useTranslation("comments");
  const of = useMemo(() => ({ memoryId: memory.id, mediaId: null }), [memory.id]);
  const conversation = useConversation({ client, of, rights });
  const { count, query, threads, commenter } = conversation;
  const { ref, inSight, height } = useInSight<HTMLDivElement>();
  const panel = `conversation ${memory.id}` as const;
  const isOpen = useStore(openPanel) === panel;
  const open = isOpen && inSight === false;
  const unread = useUnread(
    memory.id,
    query.isSuccess ? threads : undefined,
    commenter.me?.id,
    open || inSight === true,
  );
  const number = (value: number) => numberText(value, i18n.language);
  const place = document.getElementById("main");
  // The links to the sections are rendered before this section, so its link may have been followed already.
  useScrollToHash("conversation", "start");
  return (
    // Keeps its height while the panel is open, so that nothing moves.
    <div ref={ref} style={open ? { minHeight: height() } : undefined} className="min-h-40">
      <SidePanel
        open={open}
        title={
          <>
            {t("title")}
            {count > 0 && (
              <span className="ms-3 font-sans text-base text-ink-soft tabular-nums">
                {query.hasNextPage ? t("read.atLeast", { number: number(count) }) : number(count)}
              </span>
            )}
          </>
        }
      >
        <Discussion
          conversation={conversation}
          empty={
            isWaiting(memory.reveal, serverNow()) && !rights.manage
              ? t("read.waits")
              : memory.kind === "tribute"
                ? t("read.empty")
                : t("read.emptyEvent")
          }
        />
      </SidePanel>
      {place &&
        inSight === false &&
        createPortal(
          <CornerButton
            second
            label={unread > 0 ? t("panel.openWith", { count: unread }) : t("panel.open")}
            onClick={() => showPanel(panel)}
          >
            <MessageCircle aria-hidden className="size-5" />
            {unread > 0 && (
              <span
                aria-hidden
                className="absolute -end-1 -top-1 grid min-w-6 place-content-center rounded-full bg-teal px-1 text-sm leading-6 font-semibold text-night tabular-nums"
              >
                {number(unread)}
              </span>
            )}
          </CornerButton>,
          place,
        )}
    </div>
  );
}

const keyOf = (memoryId: string) => `skies-seen-${memoryId}`;

/**
 * Returns the number of others' comments that are newer than those this browser has shown. `shown` is whether they are
 * visible now; `threads` is undefined while loading.
 */
function useUnread(
  memoryId: string,
  threads: readonly Thread[] | undefined,
  myId: string | undefined,
  isVisible: boolean,
): number {
  const [seen, setSeen] = useState(() => Number(readJson(browserStorage, keyOf(memoryId)) ?? 0));
  const times = (threads ?? [])
    .flatMap(({ head, answers }) => [head, ...answers])
    .filter((comment) => !comment.deleted_at && !isBy(comment, myId))
    .map(({ created_at }) => Date.parse(created_at));
  const newest = Math.max(0, ...times);
  useEffect(() => {
    if (!isVisible || newest <= seen) return;
    keepJson(browserStorage, keyOf(memoryId), newest);
    setSeen(newest);
  }, [isVisible, newest, seen, memoryId]);
  return isVisible ? 0 : times.filter((time) => time > seen).length;
}

/** Returns whether an element is in the middle half of the window (undefined until known), and its last height. */
function useInSight<T extends HTMLElement>() {
  const ref = useRef<T>(null);
  const last = useRef(0);
  const [inSight, setInSight] = useState<boolean>();
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        last.current = entry.boundingClientRect.height;
        setInSight(entry.isIntersecting);
      },
      { rootMargin: "-25% 0px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, inSight, height: useCallback(() => last.current, []) };
}
