import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { browserStorage } from "../../lib/browser/storage.ts";
import { rememberRedirect } from "../../lib/session/redirect-url.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { Composer } from "./Composer.tsx";
import { useConversationLive } from "./comments.queries.ts";
import { type DraftKey, keepDraft, readDraft } from "./drafts.ts";
import { ThreadView } from "./ThreadView.tsx";
import { UnsentComment } from "./UnsentComment.tsx";
import type { ConversationState } from "./use-conversation.ts";
import { useLoadLinkedComment } from "./use-load-linked-comment.ts";
import { useNewComments } from "./use-new-comments.ts";

interface DiscussionProps {
  conversation: ConversationState;
  /** What to say where nothing is said yet. */
  empty: string;
}

/** A conversation to be read and taken part in: the newest first. */
export function Discussion({ conversation, empty }: DiscussionProps) {
  const { client, of, query, threads, people, commenter, outbox, underway } = conversation;
  const { t } = useTranslation("comments");
  const { missed, setConnected } = useConnection();
  useConversationLive(client, of, setConnected);
  useLoadLinkedComment(client, of, query, threads);
  const draftKey: DraftKey | undefined = commenter.me && { userId: commenter.me.id, ...of, parentId: null };
  const arrived = useNewComments(query.isSuccess ? threads : undefined, commenter.me?.id);
  const starting = underway.filter(({ parentId }) => parentId === null);

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
      {commenter.mayComment && draftKey ? (
        <Composer
          key={draftKey.userId}
          label={t("write.label")}
          submit={t("write.send")}
          initial={readDraft(browserStorage, draftKey)}
          people={people}
          onWritten={(text) => keepDraft(browserStorage, draftKey, text)}
          onSend={(body, mentions) => {
            keepDraft(browserStorage, draftKey, "");
            outbox.send({ parentId: null, body, mentions });
          }}
        />
      ) : (
        <CommentPrompt signedIn={commenter.me !== undefined} askName={commenter.askName} />
      )}
      <VisuallyHidden>
        <span role="status">{arrived}</span>
      </VisuallyHidden>
      <p role="status" className="text-sm text-ink-soft empty:hidden">
        {missed && t("read.notConnected")}
      </p>
      {query.isPending ? (
        <div className="grid gap-4">
          <Skeleton className="h-20 rounded-2xl" />
          <Skeleton className="h-20 rounded-2xl" />
        </div>
      ) : query.isError && threads.length === 0 ? (
        <Problem error={new Error(t("read.loadFailed"))} retry={query.refetch} />
      ) : threads.length === 0 && starting.length === 0 ? (
        <p className="text-ink-soft">{empty}</p>
      ) : (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-5">
          {starting.toReversed().map((unsent) => (
            <li key={unsent.id} className="border-t border-line pt-5 first:border-0 first:pt-0">
              <UnsentComment
                unsent={unsent}
                name={commenter.me?.fullName || t("someone")}
                onAgain={() => outbox.again(unsent)}
                onDiscard={() => outbox.forget(unsent.id)}
              />
            </li>
          ))}
          {threads.map((thread) => (
            <ThreadView key={thread.head.id} thread={thread} conversation={conversation} />
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <Button
          variant="quiet"
          className="justify-self-center"
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t("read.older")}
        </Button>
      )}
    </div>
  );
}

/** A connection that is back at once is nothing to tell anybody. */
const PATIENCE_MS = 3000;

/** Whether it has been long enough without a connection to say so, and what tells of it. */
function useConnection() {
  const [connected, setConnected] = useState(true);
  const [missed, setMissed] = useState(false);
  useEffect(() => {
    if (connected) return setMissed(false);
    const timer = setTimeout(() => setMissed(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [connected]);
  return { missed, setConnected };
}

/** In place of where comments are written, for whoever can not (Spec §8). */
function CommentPrompt({ signedIn, askName }: { signedIn: boolean; askName?: (() => void) | undefined }) {
  const { t } = useTranslation("comments");
  const { pathname, search } = useLocation();
  const remember = () => rememberRedirect(pathname + search);
  if (signedIn) return <p className="rounded-2xl bg-sunken px-4 py-3 text-ink-soft">{t("who.noRight")}</p>;
  return (
    <div className="grid gap-3 rounded-2xl bg-sunken px-4 py-4">
      <p>{t("who.signIn")}</p>
      <div className="flex flex-wrap gap-2">
        <Button asChild size="small">
          <Link to={paths.login()} onClick={remember}>
            {t("who.login")}
          </Link>
        </Button>
        <Button asChild size="small" variant="quiet">
          <Link to={paths.register()} onClick={remember}>
            {t("who.register")}
          </Link>
        </Button>
      </div>
      {askName && (
        <Button variant="plain" size="small" className="justify-self-start px-2!" onClick={askName}>
          {t("who.name")}
        </Button>
      )}
    </div>
  );
}
