import { GripVertical } from "lucide-react";
import type { KeyboardEvent, PointerEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Story } from "../../data/stories.queries.ts";
import { IconButton } from "../../ui/IconButton.tsx";

interface StoryHandleProps {
  story: Story;
  onPointerDown: (event: PointerEvent) => void;
  /** By so many places: -1 is up. */
  onStep: (by: -1 | 1) => void;
}

/** The element's id of the handle by which a story is carried. */
export const storyHandleId = (storyId: string) => `story-handle-${storyId}`;

/** Takes hold of a story, to be carried to another place by pointer or by the arrow keys; small screens have the menu alone. */
export function StoryHandle({ story, onPointerDown, onStep }: StoryHandleProps) {
  const { t } = useTranslation("stories");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    onStep(event.key === "ArrowUp" ? -1 : 1);
  };
  return (
    <IconButton
      id={storyHandleId(story.id)}
      label={story.title ? t("read.carryNamed", { title: story.title }) : t("read.carry")}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      // A finger on it carries, and does not scroll.
      className="cursor-grab touch-none max-sm:hidden"
    >
      <GripVertical aria-hidden className="size-5" />
    </IconButton>
  );
}
