import { ArrowDown, ArrowUp, Ellipsis, Eye, EyeOff, Flag, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Story } from "../../data/stories.queries.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu, MenuActions, MenuItem } from "../../ui/Menu.tsx";

interface StoryMenuProps {
  story: Story;
  /** Present for managers; a direction is undefined at that end of the list. */
  keep?: { up?: () => void; down?: () => void; onModerate: (moderation: "shown" | "hidden") => void };
  /** Present for its author and for managers. */
  onDelete?: () => void;
  /** Present for readers of others' stories. */
  onReport?: () => void;
}

/** The id of the button that opens a story's menu: it gets the focus again after the story has moved. */
export const storyMenuId = (storyId: string) => `story-menu-${storyId}`;

/** The menu of a story's actions. */
export function StoryMenu({ story, keep, onDelete, onReport }: StoryMenuProps) {
  const { t } = useTranslation(["stories", "reports"]);
  return (
    <Menu
      onClosed={() => document.getElementById(storyMenuId(story.id))?.focus()}
      trigger={
        <IconButton
          icon={Ellipsis}
          id={storyMenuId(story.id)}
          label={story.title ? t("read.moreNamed", { title: story.title }) : t("read.more")}
        />
      }
    >
      {keep && (
        <>
          <MenuItem icon={ArrowUp} disabled={!keep.up} onSelect={keep.up}>
            {t("read.up")}
          </MenuItem>
          <MenuItem icon={ArrowDown} disabled={!keep.down} onSelect={keep.down}>
            {t("read.down")}
          </MenuItem>
        </>
      )}
      <MenuActions
        actions={[
          story.moderation === "shown"
            ? { icon: EyeOff, text: t("read.hide"), onSelect: keep && (() => keep.onModerate("hidden")) }
            : { icon: Eye, text: t("read.show"), onSelect: keep && (() => keep.onModerate("shown")) },
          { icon: Flag, text: t("reports:item"), onSelect: onReport },
          { icon: Trash2, text: t("read.withdraw"), tone: "danger", onSelect: onDelete },
        ]}
      />
    </Menu>
  );
}
