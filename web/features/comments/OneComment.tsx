import { Ban, Ellipsis, Eye, EyeOff, Flag, Hourglass, Pencil, Reply, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { dateFormat } from "../../../shared/date-format.ts";
import { useBlock } from "../../actions/moderation.ts";
import { EditConflict } from "../../data/save-over.ts";
import { askToReport } from "../../lib/browser/reporting.ts";
import { useMinute } from "../../lib/browser/use-minute.ts";
import { localeOf } from "../../lib/formatting/locale.ts";
import { timeAgo } from "../../lib/formatting/time-ago.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import { Button } from "../../ui/Button.tsx";
import { ConflictNote } from "../../ui/ConflictNote.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu, MenuActions } from "../../ui/Menu.tsx";
import { toast } from "../../ui/toasts.tsx";
import { CommentText } from "./CommentText.tsx";
import { Composer } from "./Composer.tsx";
import { type Comment, isBy, LONGEST, lengthOf } from "./comment.ts";
import { useDeleteComment } from "./comment-deletions.queries.ts";
import { type CommentWords, useChangeComment } from "./comments.queries.ts";
import { ReactionBar } from "./ReactionBar.tsx";
import { useReact } from "./reactions.queries.ts";
import type { ConversationState } from "./use-conversation.ts";

interface OneCommentProps {
  comment: Comment;
  conversation: ConversationState;
  onReply: () => void;
}

/** A comment with its actions. */
export function OneComment({ comment, conversation, onReply }: OneCommentProps) {
  const { client, of, people, commenter, reactions, avatars } = conversation;
  const { me, mayComment, keeps } = commenter;
  const { t } = useTranslation("comments");
  // The text as editing began with it. The list may show a newer one, which must not be overwritten unseen.
  const [base, setBase] = useState<CommentWords>();
  const change = useChangeComment(client, of);
  const remove = useDeleteComment(client);
  const react = useReact(client, of, me, comment.id);
  const block = useBlock(client, of.memoryId);
  const own = isBy(comment, me?.id);
  const refused = () =>
    toast({ title: t("read.changeFailed"), description: t("read.changeFailedText"), tone: "problem" });

  const conflict = change.error instanceof EditConflict ? (change.error as EditConflict<CommentWords>) : undefined;
  const rewrite = (over: CommentWords, input: Pick<Comment, "body" | "mentions">) =>
    change.mutate(
      { id: comment.id, ...input, base: over },
      { onError: (error) => error instanceof EditConflict || refused() },
    );
  const endEditing = () => {
    setBase(undefined);
    document.getElementById(commentMenuId(comment.id))?.focus();
  };

  const names = people.filter(({ id }) => comment.mentions.includes(id)).map(({ name }) => name);
  const ownReactions = reactions.filter(({ comment_id }) => comment_id === comment.id);
  const isSomeone = comment.user_id !== null || comment.guest_id !== null;
  const menu = (
    <CommentMenu
      comment={comment}
      onEdit={own && mayComment ? () => setBase(comment) : undefined}
      onModerate={
        keeps ? (moderation) => change.mutate({ id: comment.id, moderation }, { onError: refused }) : undefined
      }
      onBlock={
        keeps && !own && isSomeone ? () => void block({ ...comment, name: comment.author_name }, true) : undefined
      }
      onReport={own || keeps ? undefined : () => askToReport({ kind: "comment", id: comment.id })}
      onDelete={own || keeps ? () => remove(comment.id) : undefined}
    />
  );
  const editor = base ? (
    <Composer
      autoFocus
      label={t("write.edit")}
      submit={t("write.save")}
      initial={base.body}
      people={people}
      onCancel={endEditing}
      onSend={(body, mentions) => {
        endEditing();
        if (body !== base.body) rewrite(base, { body, mentions });
      }}
    />
  ) : (
    conflict && (
      <div className="mt-2">
        <CommentConflict conflict={conflict} onSave={rewrite} onTheirs={change.reset} />
      </div>
    )
  );
  return (
    <CommentCard comment={comment} picture={avatars[comment.picture ?? ""]} names={names} menu={menu} editor={editor}>
      {!editor && (mayComment || ownReactions.length > 0) && (
        <div className="-ms-2 flex flex-wrap items-center gap-1">
          {mayComment && (
            <Button
              icon={Reply}
              data-reply
              variant="plain"
              size="small"
              className="px-3! font-normal!"
              onClick={onReply}
            >
              {t("read.reply")}
            </Button>
          )}
          <ReactionBar reactions={ownReactions} myId={mayComment ? me?.id : undefined} onReact={react} />
        </div>
      )}
    </CommentCard>
  );
}

interface CommentConflictProps {
  conflict: EditConflict<CommentWords>;
  onSave: (over: CommentWords, input: Pick<Comment, "body" | "mentions">) => void;
  onTheirs: () => void;
}

/** Asks which text stays, after its author saved another one in another window. */
function CommentConflict({ conflict: { stored, changes }, onSave, onTheirs }: CommentConflictProps) {
  const { t } = useTranslation("comments");
  const mine = { ...stored, ...changes };
  const both = {
    body: [stored.body, mine.body].join("\n\n"),
    mentions: [...new Set([...stored.mentions, ...mine.mentions])],
  };
  return (
    <ConflictNote
      changes={[{ label: t("write.edit"), theirs: stored.body, mine: mine.body }]}
      onMine={() => onSave(stored, { body: mine.body, mentions: mine.mentions })}
      onTheirs={onTheirs}
      onBoth={lengthOf(both.body) <= LONGEST ? () => onSave(stored, both) : undefined}
    />
  );
}

interface CommentCardProps {
  comment: Pick<Comment, "author_name" | "body" | "created_at" | "edited_at" | "deleted_at" | "moderation">;
  /** The URL of the author's avatar. */
  picture: string | undefined;
  /** The known names of the mentioned people. */
  names: readonly string[];
  menu?: ReactNode;
  /** Replaces the text while it is edited. */
  editor?: ReactNode;
  /** Shown below the text. */
  children?: ReactNode;
}

/** A comment with its author and time. */
function CommentCard({ comment, picture, names, menu, editor, children }: CommentCardProps) {
  const { t } = useTranslation("comments");
  if (comment.deleted_at) return <p className="text-ink-soft italic">{t("read.deleted")}</p>;
  return (
    <div data-comment className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <div className="flex items-start gap-3">
        <Avatar name={comment.author_name} picture={picture} className="mt-0.5" />
        <p className="min-w-0 grow leading-snug">
          <span dir="auto" className="font-semibold wrap-anywhere">
            {comment.author_name || t("someone")}
          </span>
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

/** The relative time of a comment, with the exact time as title. */
function CommentTime({ at }: { at: string }) {
  const { i18n } = useTranslation();
  const locale = localeOf(i18n.language);
  const date = new Date(at);
  const exact = dateFormat(locale, { dateStyle: "long", timeStyle: "short" }).format(date);
  return (
    <time dateTime={at} title={exact}>
      {timeAgo(date, useMinute(), locale)}
    </time>
  );
}

interface CommentMenuProps {
  comment: Comment;
  onEdit?: () => void;
  /** Present for managers. */
  onModerate?: (moderation: "shown" | "hidden") => void;
  /** Present for managers, of others' comments. */
  onBlock?: () => void;
  /** Present for readers of others' comments. */
  onReport?: () => void;
  /** Present for the author and managers. */
  onDelete?: () => void;
}

/** The id of the button that opens a comment's menu. */
const commentMenuId = (commentId: string) => `comment-menu-${commentId}`;

/** Moves the focus after the menu has closed: to the editor if the comment is edited, otherwise back to the button. */
function moveOn(commentId: string) {
  const button = document.getElementById(commentMenuId(commentId));
  const editor = button?.closest("[data-comment]")?.querySelector("textarea");
  (editor ?? button)?.focus();
}

/** The menu of a comment's actions except answering. */
function CommentMenu({ comment, onEdit, onModerate, onBlock, onReport, onDelete }: CommentMenuProps) {
  const { t } = useTranslation(["comments", "moderation", "reports"]);
  const name = comment.author_name || t("someone");
  return (
    <Menu
      onClosed={() => moveOn(comment.id)}
      trigger={
        <IconButton
          icon={Ellipsis}
          id={commentMenuId(comment.id)}
          label={t("read.more", { name })}
          className="text-ink-soft"
        />
      }
    >
      <MenuActions
        actions={[
          { icon: Pencil, text: t("read.edit"), onSelect: onEdit },
          comment.moderation === "shown"
            ? { icon: EyeOff, text: t("read.hide"), onSelect: onModerate && (() => onModerate("hidden")) }
            : { icon: Eye, text: t("read.show"), onSelect: onModerate && (() => onModerate("shown")) },
          { icon: Flag, text: t("reports:item"), onSelect: onReport },
          { icon: Trash2, text: t("read.delete"), tone: "danger", onSelect: onDelete },
          { icon: Ban, text: t("moderation:block", { name }), tone: "danger", onSelect: onBlock },
        ]}
      />
    </Menu>
  );
}
