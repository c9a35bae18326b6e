import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type Heart, heartsQuery, useHeartsLive, useSaveHeart, useUnsentHearts } from "../data/hearts.queries.ts";
import type { MemoryContext } from "../data/memory-context.ts";
import { takeBackUnsent } from "../data/outbox/reactions.ts";
import { useOwner } from "../data/outbox/use-outbox.ts";
import { toast } from "../ui/toasts.tsx";
import { useCommenter } from "./commenter.ts";

/** The hearts of a memory's photos and videos, as far as the reader sees them. */
export interface Hearts {
  /** The number of hearts by the id of a photo or video; absent without any. */
  counts: ReadonlyMap<string, number>;
  /** The reader's own hearts by the id of a photo or video. */
  mine: ReadonlyMap<string, Heart>;
  /** Gives or takes back the reader's heart; undefined if they may give none. */
  toggle: ((mediaId: string) => void) | undefined;
}

const NONE: Heart[] = [];

/** The hearts of a memory's photos. A visitor without a name is asked for it, and then gives the heart. */
export function useHearts({ client, memory, rights }: MemoryContext): Hearts {
  const { t } = useTranslation("gallery");
  const { me, mayComment, askName } = useCommenter(rights);
  const owner = useOwner(me?.id);
  const { data = NONE } = useQuery(heartsQuery(client, memory.id));
  const { hearts, unsent } = useUnsentHearts(client, memory.id, owner, data);
  useHeartsLive(client, memory.id);
  const { mutate } = useSaveHeart(client, memory.id, owner);
  const { counts, mine } = useMemo(() => {
    const counts = new Map<string, number>();
    for (const { media_id } of hearts) counts.set(media_id, (counts.get(media_id) ?? 0) + 1);
    const own = me ? hearts.filter(({ user_id, guest_id }) => (user_id ?? guest_id) === me.id) : [];
    return { counts, mine: new Map(own.map((heart) => [heart.media_id, heart])) };
  }, [hearts, me]);

  const give = (mediaId: string) => {
    if (!me || !owner) return;
    const onError = () => toast({ title: t("hearts.failed"), tone: "problem" });
    const waiting = unsent.find(({ reaction, state }) => reaction.media_id === mediaId && state === "waiting");
    if (waiting) return void takeBackUnsent(waiting).then((change) => change && mutate(change, { onError }));
    const ownHeart = mine.get(mediaId);
    const row = {
      id: ownHeart?.id ?? crypto.randomUUID(),
      memory_id: memory.id,
      media_id: mediaId,
      comment_id: null,
      user_id: me.isGuest ? null : me.id,
      guest_id: me.isGuest ? me.id : null,
      name: me.fullName,
      kind: "heart" as const,
      created_at: new Date().toISOString(),
    };
    mutate({ row, taken: ownHeart !== undefined }, { onError });
  };
  // The photo for which a visitor is asked for a name.
  const pendingMediaId = useRef<string>(undefined);
  useEffect(() => {
    const mediaId = pendingMediaId.current;
    if (!mayComment || mediaId === undefined) return;
    pendingMediaId.current = undefined;
    if (!mine.has(mediaId)) give(mediaId);
  });
  const ask = (mediaId: string) => {
    pendingMediaId.current = mediaId;
    askName?.(() => {
      pendingMediaId.current = undefined;
    });
  };
  return { counts, mine, toggle: mayComment ? give : askName && ask };
}
