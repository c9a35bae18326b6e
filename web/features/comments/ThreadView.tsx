import { type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { browserStorage } from "../../lib/browser/storage.ts";
import { useScrollToHash } from "../../lib/browser/use-scroll-to-hash.ts";
import { Button } from "../../ui/Button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Composer } from "./Composer.tsx";
import { type DraftKey, keepDraft, readDraft } from "./drafts.ts";
import { OneComment } from "./OneComment.tsx";
import type { Thread } from "./threads.ts";
import { UnsentComment } from "./UnsentComment.tsx";
import type { ConversationState } from "./use-conversation.ts";

/** The number of visible answers; older ones are folded. */
const SHOWN = 3;

/** A comment with its answers. */
export function ThreadView({ thread, conversation }: { thread: Thread; conversation: ConversationState }) {
  const { head, answers } = thread;
  const { of, people, commenter, outbox, underway } = conversation;
  const { t } = useTranslation("comments");
  const draftKey: DraftKey | undefined = commenter.me && { userId: commenter.me.id, ...of, parentId: head.id };
  // A draft of an answer is restored after a reload, without moving the focus.
  const [replying, setReplying] = useState<"begun" | "asked" | undefined>(() =>
    draftKey !== undefined && readDraft(browserStorage, draftKey) !== "" ? "begun" : undefined,
  );
  const item = useRef<HTMLLIElement>(null);
  const [unfolded, setUnfolded] = useState(false);
  const linked = useIsLinked(answers);
  const folded = unfolded || linked ? 0 : Math.max(0, answers.length - SHOWN);
  const sending = underway.filter(({ parentId }) => parentId === head.id);
  const reply = () => {
    setReplying("asked");
    item.current?.querySelector<HTMLElement>(":scope > [data-answers] > form textarea")?.focus();
  };
  const endReply = () => {
    if (draftKey) keepDraft(browserStorage, draftKey, "");
    setReplying(undefined);
    item.current?.querySelector<HTMLElement>("[data-reply]")?.focus();
  };
  const hasMore = answers.length > 0 || sending.length > 0 || replying !== undefined;
  return (
    <li ref={item} className="grid grid-cols-[minmax(0,1fr)] gap-3 border-t border-line pt-5 first:border-0 first:pt-0">
      <CommentAnchor id={head.id}>
        <OneComment comment={head} conversation={conversation} onReply={reply} />
      </CommentAnchor>
      {hasMore && (
        <div data-answers className="grid grid-cols-[minmax(0,1fr)] gap-4 border-s-2 border-line ps-4">
          {folded > 0 && (
            <Button variant="plain" size="small" className="justify-self-start px-2!" onClick={() => setUnfolded(true)}>
              {t("read.unfold", { count: folded })}
            </Button>
          )}
          {answers.slice(folded).map((answer) => (
            <CommentAnchor key={answer.id} id={answer.id}>
              <OneComment comment={answer} conversation={conversation} onReply={reply} />
            </CommentAnchor>
          ))}
          {sending.map((unsent) => (
            <UnsentComment
              key={unsent.id}
              unsent={unsent}
              name={commenter.me?.fullName || t("someone")}
              onAgain={() => outbox.again(unsent)}
              onDiscard={() => outbox.forget(unsent.id)}
            />
          ))}
          {replying && draftKey && commenter.mayComment && (
            <Composer
              autoFocus={replying === "asked"}
              label={t("write.answer", { name: head.author_name || t("someone") })}
              submit={t("write.send")}
              initial={readDraft(browserStorage, draftKey)}
              people={people}
              onWritten={(text) => keepDraft(browserStorage, draftKey, text)}
              onCancel={endReply}
              onSend={(body, mentions) => {
                endReply();
                outbox.send({ parentId: head.id, body, mentions });
              }}
            />
          )}
        </div>
      )}
    </li>
  );
}

/** Scrolls to the comment in the URL's hash, e.g. of a notice, and highlights it. */
function CommentAnchor({ id, children }: { id: string; children: ReactNode }) {
  const arrived = useScrollToHash(anchorOf(id), "center");
  return (
    <div id={anchorOf(id)} className={classNames("min-w-0", arrived && "-mx-3 rounded-2xl bg-wash px-3 py-2")}>
      {children}
    </div>
  );
}

/** Whether the URL's hash names one of these comments. */
function useIsLinked(comments: readonly { id: string }[]): boolean {
  const linked = commentIn(useLocation().hash);
  return comments.some(({ id }) => id === linked);
}

const PREFIX = "comment-";

/** Returns the element id of a comment, for links. */
const anchorOf = (id: string) => `${PREFIX}${id}`;

/** The comment id in a URL's hash, if any. */
export const commentIn = (hash: string): string | undefined =>
  hash.startsWith(`#${PREFIX}`) ? hash.slice(PREFIX.length + 1) : undefined;
