import { ArrowDown, ArrowUp, Ellipsis, Eye, EyeOff, Flag, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Story } from "../../data/stories.queries.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu, MenuActions, MenuItem } from "../../ui/Menu.tsx";

interface StoryMenuProps {
  story: Story;
  /** Actions of managers. `up` is absent for the first story, `down` for the last. */
  keep?: { up?: () => void; down?: () => void; onModerate: (moderation: "shown" | "hidden") => void };
  /** Present for the author and for managers. */
  onDelete?: () => void;
  /** Present if the story is by another person. */
  onReport?: () => void;
}

/**
 * Returns the id of the button that opens a story's menu. After the story has moved, the button gets the focus again.
 */
export const storyMenuId = (storyId: string) => `story-menu-${storyId}`;

/** Renders the menu of a story's actions. */
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
