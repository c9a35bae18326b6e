import "../../i18n/namespaces/reports.ts";
import "../../i18n/namespaces/stories.ts";
import { ArrowDown, ArrowUp, Ellipsis, Eye, EyeOff, Flag, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Story } from "../../data/stories.queries.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";

interface StoryMenuProps {
  story: Story;
  /** Present for managers; undefined where it is at that end already. */
  keep?: { up?: () => void; down?: () => void; onModerate: (moderation: "shown" | "hidden") => void };
  /** Present for its author and for managers. */
  onDelete?: () => void;
  /** Present for whoever reads what others tell. */
  onReport?: () => void;
}

/** The element's id of the button that opens a story's menu: the story may move, and the focus with it. */
export const storyMenuId = (storyId: string) => `story-menu-${storyId}`;

/** What can be done with a story beside reading it. */
export function StoryMenu({ story, keep, onDelete, onReport }: StoryMenuProps) {
  const { t } = useTranslation(["stories", "reports"]);
  return (
    <Menu
      onClosed={() => document.getElementById(storyMenuId(story.id))?.focus()}
      trigger={
        <IconButton
          id={storyMenuId(story.id)}
          label={story.title ? t("read.moreNamed", { title: story.title }) : t("read.more")}
        >
          <Ellipsis aria-hidden className="size-5" />
        </IconButton>
      }
    >
      {keep && (
        <>
          <MenuItem disabled={!keep.up} onSelect={keep.up}>
            <ArrowUp aria-hidden className="size-5" />
            {t("read.up")}
          </MenuItem>
          <MenuItem disabled={!keep.down} onSelect={keep.down}>
            <ArrowDown aria-hidden className="size-5" />
            {t("read.down")}
          </MenuItem>
          {story.moderation === "shown" ? (
            <MenuItem onSelect={() => keep.onModerate("hidden")}>
              <EyeOff aria-hidden className="size-5" />
              {t("read.hide")}
            </MenuItem>
          ) : (
            <MenuItem onSelect={() => keep.onModerate("shown")}>
              <Eye aria-hidden className="size-5" />
              {t("read.show")}
            </MenuItem>
          )}
        </>
      )}
      {onReport && (
        <MenuItem onSelect={onReport}>
          <Flag aria-hidden className="size-5" />
          {t("reports:item")}
        </MenuItem>
      )}
      {onDelete && (
        <MenuItem tone="danger" onSelect={onDelete}>
          <Trash2 aria-hidden className="size-5" />
          {t("read.withdraw")}
        </MenuItem>
      )}
    </Menu>
  );
}
