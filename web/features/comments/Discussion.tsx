import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { queryKeys } from "../../data/query-keys.ts";
import { browserStorage } from "../../lib/browser/storage.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { unwrap } from "../../lib/request/unwrap.ts";
import { pathOf, rememberRedirect } from "../../lib/session/redirect-url.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/Button.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { Composer } from "./Composer.tsx";
import { isBy, type Subject } from "./comment.ts";
import { useConversationLive } from "./comments.queries.ts";
import { type DraftKey, keepDraft, readDraft } from "./drafts.ts";
import { commentIn, ThreadView } from "./ThreadView.tsx";
import { type Cursor, isBefore, type Page, type Thread } from "./threads.ts";
import { UnsentComment } from "./UnsentComment.tsx";
import type { ConversationState } from "./use-conversation.ts";
import { useVisitorComment } from "./use-visitor-comment.ts";

interface DiscussionProps {
  conversation: ConversationState;
  /** The text shown if there are no comments. */
  empty: string;
}

/** A conversation, newest first, with a form to take part. */
export function Discussion({ conversation, empty }: DiscussionProps) {
  const { client, of, query, threads, people, commenter, outbox, underway } = conversation;
  const { t } = useTranslation("comments");
  const { missed, setConnected } = useConnection();
  useConversationLive(client, of, setConnected);
  useLoadLinkedComment(client, of, query, threads);
  const draftKey: DraftKey | undefined = commenter.me && { userId: commenter.me.id, ...of, parentId: null };
  const visitorComment = useVisitorComment(conversation);
  const announcement = useNewComments(query.isSuccess ? threads : undefined, commenter.me?.id);
  const starting = underway.filter(({ parentId }) => parentId === null);

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
      {commenter.mayComment && draftKey ? (
        <Composer
          key={draftKey.userId}
          label={t("write.label")}
          submit={t("write.send")}
          initial={readDraft(browserStorage, draftKey) || visitorComment.initial()}
          people={people}
          onWritten={(text) => {
            visitorComment.write("");
            keepDraft(browserStorage, draftKey, text);
          }}
          onSend={(body, mentions) => {
            visitorComment.write("");
            keepDraft(browserStorage, draftKey, "");
            outbox.send({ parentId: null, body, mentions });
          }}
        />
      ) : (
        <>
          {commenter.askName && (
            <div className="grid gap-1">
              <Composer
                key={visitorComment.round}
                label={t("write.label")}
                submit={t("write.send")}
                initial={visitorComment.initial()}
                people={people}
                onWritten={visitorComment.write}
                onSend={visitorComment.send}
              />
              <p className="text-sm text-ink-soft">{t("who.name")}</p>
            </div>
          )}
          <CommentPrompt signedIn={commenter.me !== undefined} canGiveName={commenter.askName !== undefined} />
        </>
      )}
      <VisuallyHidden>
        <span role="status">{announcement}</span>
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

/** Milliseconds after which a lost connection is shown. */
const PATIENCE_MS = 3000;

/** Whether the connection has been lost for long enough to show it, and the function that reports it. */
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

/** Shown in place of the composer to people who cannot comment (Spec §8). */
function CommentPrompt({ signedIn, canGiveName }: { signedIn: boolean; canGiveName: boolean }) {
  const { t } = useTranslation("comments");
  // The browser's location, because the router's still has the secret fragment of an email's link.
  const remember = () => rememberRedirect(pathOf(location));
  if (signedIn) return <p className="rounded-2xl bg-sunken px-4 py-3 text-ink-soft">{t("who.noRight")}</p>;
  return (
    <div className="grid gap-3 rounded-2xl bg-sunken px-4 py-4">
      <p>{t("who.signIn")}</p>
      <div className="flex flex-wrap gap-2">
        <Button asChild size="small" variant={canGiveName ? "quiet" : "primary"}>
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
    </div>
  );
}

interface Reading {
  data: { pages: Page[] } | undefined;
  isFetching: boolean;
  isError: boolean;
  fetchNextPage: () => unknown;
}

/**
 * Loads further pages of a conversation until the comment in the URL's hash is loaded, because a notice may link to an
 * old comment. Loads nothing if the comment is loaded already or not in this conversation.
 */
function useLoadLinkedComment(client: SupabaseClient, of: Subject, reading: Reading, threads: readonly Thread[]) {
  const id = commentIn(useLocation().hash);
  const { data, isFetching, isError, fetchNextPage } = reading;
  const end = data?.pages.at(-1)?.next;
  const isHere = threads.some(({ head, answers }) => head.id === id || answers.some((answer) => answer.id === id));
  const sought = id !== undefined && end !== undefined && !isHere;
  const threadPosition = useQuery({ ...threadPositionQuery(client, of, id ?? ""), enabled: sought }).data;
  const isOlder = sought && !!threadPosition && isBefore(threadPosition, end);
  useEffect(() => {
    if (isOlder && !isFetching && !isError) void fetchNextPage();
  }, [isOlder, isFetching, isError, fetchNextPage]);
}

type Found = Cursor & { parent_id: string | null };

/** The position of a comment's thread; null if the client cannot see it. */
const threadPositionQuery = (client: SupabaseClient, { memoryId, mediaId }: Subject, commentId: string) =>
  queryOptions({
    queryKey: queryKeys.linkedComment(memoryId, mediaId, commentId),
    queryFn: async ({ signal }): Promise<Cursor | null> => {
      const read = async (id: string): Promise<Found | null> => {
        const query = client.from("comments").select("id,parent_id,created_at").eq("id", id).eq("memory_id", memoryId);
        return await (mediaId === null ? query.is("media_id", null) : query.eq("media_id", mediaId))
          .abortSignal(signal)
          .maybeSingle()
          .then(unwrap("Failed to find the comment"));
      };
      const comment = await read(commentId);
      return comment?.parent_id ? read(comment.parent_id) : comment;
    },
  });

const TOGETHER_MS = 1500;
/** Milliseconds after which an announcement is cleared, because screen readers do not announce the same text twice. */
const SAID_MS = 5000;

/**
 * Announces new comments of others to screen readers: the author, or the number if several arrive together. `threads`
 * is undefined while loading.
 */
function useNewComments(threads: readonly Thread[] | undefined, myId: string | undefined): string {
  const { t } = useTranslation("comments");
  const [said, setSaid] = useState("");
  const seen = useRef<Set<string>>(undefined);
  const newest = useRef("");
  const waiting = useRef<string[]>([]);
  const names = useRef(new Map<string, string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!said) return;
    const over = setTimeout(() => setSaid(""), SAID_MS);
    return () => clearTimeout(over);
  }, [said]);

  useEffect(() => {
    if (!threads) return;
    const all = threads.flatMap(({ head, answers }) => [head, ...answers]).filter((one) => !one.deleted_at);
    // An author's name may arrive after the comment.
    names.current = new Map(all.map(({ id, author_name }) => [id, author_name]));
    const seenIds = seen.current;
    const since = newest.current;
    // Older threads that are loaded on demand are not new.
    const fresh = seenIds
      ? all.filter((one) => !seenIds.has(one.id) && one.created_at > since && !isBy(one, myId))
      : [];
    seen.current = new Set([...(seenIds ?? []), ...all.map(({ id }) => id)]);
    newest.current = [since, ...all.map(({ created_at }) => created_at)].sort().at(-1) ?? since;
    if (fresh.length === 0) return;
    waiting.current.push(...fresh.map(({ id }) => id));
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const [first = "", ...more] = waiting.current.splice(0);
      const name = names.current.get(first) || t("someone");
      setSaid(more.length === 0 ? t("read.newFrom", { name }) : t("read.newOnes", { count: more.length + 1 }));
    }, TOGETHER_MS);
  }, [threads, myId, t]);
  return said;
}
