import { Ellipsis, Eye, EyeOff, Pencil, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";
import type { Comment } from "./comment.ts";

interface CommentMenuProps {
  comment: Comment;
  onEdit?: () => void;
  /** Present for keepers. */
  onModerate?: (moderation: "shown" | "hidden") => void;
  onDelete: () => void;
}

/** The element's id of the button that opens a comment's menu. */
export const commentMenuId = (commentId: string) => `comment-menu-${commentId}`;

/** The menu has closed: on to where its comment is being changed, else back to its button. */
function moveOn(commentId: string) {
  const button = document.getElementById(commentMenuId(commentId));
  const editor = button?.closest("[data-comment]")?.querySelector("textarea");
  (editor ?? button)?.focus();
}

/** What its author and the keepers of the memory can do with a comment. */
export function CommentMenu({ comment, onEdit, onModerate, onDelete }: CommentMenuProps) {
  const { t } = useTranslation("comments");
  return (
    <Menu
      onClosed={() => moveOn(comment.id)}
      trigger={
        <IconButton
          id={commentMenuId(comment.id)}
          label={t("read.more", { name: comment.author_name || t("someone") })}
          className="text-ink-soft"
        >
          <Ellipsis aria-hidden className="size-5" />
        </IconButton>
      }
    >
      {onEdit && (
        <MenuItem onSelect={onEdit}>
          <Pencil aria-hidden className="size-5" />
          {t("read.edit")}
        </MenuItem>
      )}
      {onModerate && comment.moderation === "shown" && (
        <MenuItem onSelect={() => onModerate("hidden")}>
          <EyeOff aria-hidden className="size-5" />
          {t("read.hide")}
        </MenuItem>
      )}
      {onModerate && comment.moderation !== "shown" && (
        <MenuItem onSelect={() => onModerate("shown")}>
          <Eye aria-hidden className="size-5" />
          {t("read.show")}
        </MenuItem>
      )}
      <MenuItem tone="danger" onSelect={onDelete}>
        <Trash2 aria-hidden className="size-5" />
        {t("read.delete")}
      </MenuItem>
    </Menu>
  );
}
