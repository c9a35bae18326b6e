import { EyeOff, Hourglass } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { CommentText } from "./CommentText.tsx";
import { CommentTime } from "./CommentTime.tsx";
import type { Comment } from "./comment.ts";

interface CommentCardProps {
  comment: Pick<Comment, "author_name" | "body" | "created_at" | "edited_at" | "deleted_at" | "moderation">;
  /** Of whom it mentions, as far as they are known. */
  names: readonly string[];
  menu?: ReactNode;
  /** In place of its words, while they are being changed. */
  editor?: ReactNode;
  /** Under its words. */
  children?: ReactNode;
}

/** A comment with who said it and when. */
export function CommentCard({ comment, names, menu, editor, children }: CommentCardProps) {
  const { t } = useTranslation("comments");
  if (comment.deleted_at) return <p className="text-ink-soft italic">{t("read.deleted")}</p>;
  return (
    <div data-comment className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <div className="flex items-start gap-2">
        <p className="min-w-0 grow leading-snug">
          <span className="font-semibold wrap-anywhere">{comment.author_name || t("someone")}</span>
          <br />
          <span className="text-sm text-ink-soft">
            <CommentTime at={comment.created_at} />
            {comment.edited_at && ` · ${t("read.edited")}`}
          </span>
        </p>
        {menu && <div className="-my-1.5 -me-2">{menu}</div>}
      </div>
      {comment.moderation !== "shown" && (
        <p className="my-1 flex items-center gap-2 rounded-xl bg-sunken px-3 py-2 text-sm text-ink-soft">
          {comment.moderation === "hidden" ? (
            <EyeOff aria-hidden className="size-5 shrink-0" />
          ) : (
            <Hourglass aria-hidden className="size-5 shrink-0" />
          )}
          {t(`read.${comment.moderation}`)}
        </p>
      )}
      {editor ?? <CommentText text={comment.body} names={names} />}
      {children}
    </div>
  );
}
