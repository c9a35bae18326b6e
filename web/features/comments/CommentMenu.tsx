import { Ban, Ellipsis, Eye, EyeOff, Flag, Pencil, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";
import type { Comment } from "./comment.ts";

interface CommentMenuProps {
  comment: Comment;
  onEdit?: () => void;
  /** Present for managers. */
  onModerate?: (moderation: "shown" | "hidden") => void;
  /** Present for managers, of others' comments. */
  onBlock?: () => void;
  /** Present for whoever reads what others say. */
  onReport?: () => void;
  /** Present for its author and for managers. */
  onDelete?: () => void;
}

/** The element's id of the button that opens a comment's menu. */
export const commentMenuId = (commentId: string) => `comment-menu-${commentId}`;

/** The menu has closed: on to where its comment is being changed, else back to its button. */
function moveOn(commentId: string) {
  const button = document.getElementById(commentMenuId(commentId));
  const editor = button?.closest("[data-comment]")?.querySelector("textarea");
  (editor ?? button)?.focus();
}

/** What whoever reads a comment can do with it beside answering. */
export function CommentMenu({ comment, onEdit, onModerate, onBlock, onReport, onDelete }: CommentMenuProps) {
  const { t } = useTranslation(["comments", "moderation", "reports"]);
  const name = comment.author_name || t("someone");
  return (
    <Menu
      onClosed={() => moveOn(comment.id)}
      trigger={
        <IconButton id={commentMenuId(comment.id)} label={t("read.more", { name })} className="text-ink-soft">
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
      {onReport && (
        <MenuItem onSelect={onReport}>
          <Flag aria-hidden className="size-5" />
          {t("reports:item")}
        </MenuItem>
      )}
      {onDelete && (
        <MenuItem tone="danger" onSelect={onDelete}>
          <Trash2 aria-hidden className="size-5" />
          {t("read.delete")}
        </MenuItem>
      )}
      {onBlock && (
        <MenuItem tone="danger" onSelect={onBlock}>
          <Ban aria-hidden className="size-5 shrink-0" />
          {t("moderation:block", { name })}
        </MenuItem>
      )}
    </Menu>
  );
}
