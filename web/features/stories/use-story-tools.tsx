import type { UseQueryResult } from "@tanstack/react-query";
import { GripVertical } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Memory, MemoryRights } from "../../data/memories.queries.ts";
import { type Story, storiesQuery, useArrangeStories, useModerateStory } from "../../data/stories.queries.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { toast } from "../../ui/toasts.tsx";
import { readerTools } from "./reader-tools.tsx";
import type { StoryTools } from "./Stories.tsx";
import { StoryMenu, storyMenuId } from "./StoryMenu.tsx";
import { useDeleteStory, useHiddenStories } from "./saving.queries.ts";
import { useStoryDrag } from "./use-story-drag.tsx";

interface Around {
  client: SupabaseClient;
  memory: Pick<Memory, "id">;
  rights: Pick<MemoryRights, "manage" | "contribute">;
  userId: string;
  query: UseQueryResult<Story[]>;
}

const NO_STORIES: Story[] = [];

/** Returns a memory's stories without recently deleted ones, and the reader's actions on each story. */
export function useStoryTools({ client, memory, rights, userId, query }: Around) {
  const { t } = useTranslation("stories");
  const hidden = useHiddenStories();
  const all = query.data ?? NO_STORIES;
  const stories = useMemo(() => all.filter(({ id }) => !hidden.has(id)), [all, hidden]);
  const arrange = useArrangeStories(client, memory.id);
  const moderate = useModerateStory(client, memory.id);
  const remove = useDeleteStory(storiesQuery(client, memory.id).queryKey);
  const [moved, setMoved] = useState<{ focus: string; slot: number }>();

  // Restores the focus, which a story's button loses when the story's DOM position changes.
  useEffect(() => {
    if (moved) document.getElementById(moved.focus)?.focus();
  }, [moved]);

  const refused = () => toast({ title: t("read.changeFailed"), tone: "problem" });
  const move = (from: number, to: number, focusOf = storyMenuId) => {
    const ids = stories.map(({ id }) => id);
    const [id = ""] = ids.splice(from, 1);
    ids.splice(to, 0, id);
    arrange.mutate(ids, { onError: refused });
    setMoved({ focus: focusOf(id), slot: to + 1 });
  };
  const arranges = rights.manage && stories.length > 1;
  const carry = (from: number, to: number) => {
    if (to >= 0 && to < stories.length) move(from, to, storyHandleId);
  };
  const { onPointerDown, drawn } = useStoryDrag({ enabled: arranges, stories, onMove: carry });

  const toolsOf = (story: Story, index: number): StoryTools => {
    if (!rights.manage && !(rights.contribute && story.user_id === userId)) return readerTools(story);
    return {
      handle: arranges && (
        <StoryHandle
          story={story}
          onPointerDown={(event) => onPointerDown(event, story.id)}
          onStep={(by) => carry(index, index + by)}
        />
      ),
      menu: (
        <StoryMenu
          story={story}
          keep={
            rights.manage
              ? {
                  up: index > 0 ? () => move(index, index - 1) : undefined,
                  down: index < stories.length - 1 ? () => move(index, index + 1) : undefined,
                  onModerate: (moderation) =>
                    moderate.mutate(
                      { id: story.id, moderation },
                      {
                        onSuccess: () =>
                          toast({ title: moderation === "hidden" ? t("read.hiddenNow") : t("read.shownNow") }),
                        onError: refused,
                      },
                    ),
                }
              : undefined
          }
          onDelete={() => remove(story.id)}
        />
      ),
    };
  };
  return { stories, toolsOf, drawn, said: moved && t("read.moved", { slot: moved.slot, all: stories.length }) };
}

interface StoryHandleProps {
  story: Story;
  onPointerDown: (event: PointerEvent) => void;
  /** Moves the story by one position: -1 is up, 1 is down. */
  onStep: (by: -1 | 1) => void;
}

const storyHandleId = (storyId: string) => `story-handle-${storyId}`;

/** Renders the handle that moves a story by pointer or arrow keys. Small screens have only the menu. */
function StoryHandle({ story, onPointerDown, onStep }: StoryHandleProps) {
  const { t } = useTranslation("stories");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    onStep(event.key === "ArrowUp" ? -1 : 1);
  };
  return (
    <IconButton
      icon={GripVertical}
      id={storyHandleId(story.id)}
      label={story.title ? t("read.carryNamed", { title: story.title }) : t("read.carry")}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      // `touch-none`, so that touching the handle drags the story instead of scrolling.
      className="cursor-grab touch-none max-sm:hidden"
    />
  );
}
