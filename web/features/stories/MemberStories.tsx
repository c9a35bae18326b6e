import type { UseQueryResult } from "@tanstack/react-query";
import { Feather, Pencil } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MemoryRights } from "../../data/memories.queries.ts";
import type { MemoryContext } from "../../data/memory-context.ts";
import { type Story, useStoriesLive } from "../../data/stories.queries.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { useLatest } from "../../lib/browser/use-latest.ts";
import { useUser } from "../../lib/session/session.ts";
import type { KnownMedia } from "../../media/use-story-media.ts";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Problem } from "../../ui/Problem.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { Stories } from "./Stories.tsx";
import type { Target, Version } from "./saving.queries.ts";
import { useStoryTools } from "./use-story-tools.tsx";
import { WriterSkeleton } from "./WriterSkeleton.tsx";

const StoryWriter = lazyPart(async () => ({ default: (await import("./StoryWriter.tsx")).StoryWriter }));

const NOTHING: Version = { title: "", html: "", revision: null };

interface MemberStoriesProps extends MemoryContext {
  query: UseQueryResult<Story[]>;
  /** Photos that the stories contain. */
  media: KnownMedia;
}

/** Renders a memory's stories with the signed-in person's actions. */
export function MemberStories({ client, memory, rights, query, media }: MemberStoriesProps) {
  const { t } = useTranslation("stories");
  const { id: userId } = useUser();
  useStoriesLive(client, memory.id);
  const { stories, toolsOf, drawn, said } = useStoryTools({ client, memory, rights, userId, query });
  const { writing, round, open, close, reopen } = useWriting({ userId, memoryId: memory.id, stories, rights });

  const writer = (target: Target, version: Version) => (
    <Suspense fallback={<WriterSkeleton />}>
      <StoryWriter
        key={`${target}-${round}`}
        client={client}
        userId={userId}
        memory={memory}
        target={target}
        version={version}
        onClosed={close}
        onReopen={() => reopen(target)}
      />
    </Suspense>
  );
  const ownVersion = { title: "", html: memory.description, revision: memory.revision };
  const nothingYet = query.isSuccess && stories.length === 0 && !memory.description;
  const first = () => open(rights.manage ? "own" : "new");

  if (query.isLoadingError) return <Problem error={new Error(t("read.failed"))} retry={query.refetch} />;
  return (
    <>
      <Stories
        memory={memory}
        stories={stories}
        media={media}
        own={{
          writer: writing === "own" ? writer("own", ownVersion) : undefined,
          tools: rights.manage && !writing && !nothingYet && (
            <p className="-ms-4 print:hidden">
              <Button variant="plain" size="small" onClick={() => open("own")}>
                {memory.description ? (
                  <Pencil aria-hidden className="size-4" />
                ) : (
                  <Feather aria-hidden className="size-5" />
                )}
                {memory.description ? t("read.edit") : t("read.ownWords")}
              </Button>
            </p>
          ),
        }}
        toolsOf={(story, index) => ({
          ...toolsOf(story, index),
          // Stories cannot be dragged while a text is being edited.
          ...(writing && { handle: undefined }),
          edit: story.user_id === userId && rights.contribute && !writing && (
            <IconButton
              icon={Pencil}
              label={story.title ? t("read.editNamed", { title: story.title }) : t("read.edit")}
              onClick={() => open(story.id)}
            />
          ),
          writer:
            writing === story.id
              ? writer(story.id, { title: story.title, html: story.body, revision: story.revision })
              : undefined,
        })}
      >
        {writing === "new" && writer("new", NOTHING)}
        {rights.contribute && !writing && !nothingYet && (
          <p className="print:hidden">
            <Button icon={Feather} variant="quiet" onClick={() => open("new")}>
              {t("read.add")}
            </Button>
          </p>
        )}
        {rights.contribute && !writing && nothingYet && (
          <div className="w-full max-w-[42rem] rounded-3xl border border-dashed border-edge print:hidden">
            <Empty
              picture="stories"
              title={t("read.firstTitle")}
              text={memory.kind === "tribute" ? t("read.firstText") : t("read.firstTextEvent")}
            >
              <Button icon={Feather} onClick={first}>
                {t("read.first")}
              </Button>
            </Empty>
          </div>
        )}
      </Stories>
      {drawn}
      <VisuallyHidden>
        <span role="status">{said}</span>
      </VisuallyHidden>
    </>
  );
}

interface Around {
  userId: string;
  memoryId: string;
  stories: Story[];
  rights: Pick<MemoryRights, "manage" | "contribute">;
}

/** Returns the state of editing: at most one text at a time. An unsaved draft from before a reload opens again. */
function useWriting({ userId, memoryId, stories, rights }: Around) {
  const [writing, setWriting] = useState<Target>();
  const [round, setRound] = useState(0);
  const { manage, contribute } = rights;
  const now = useLatest(stories);

  useEffect(() => {
    if (!contribute) return;
    let hasLeft = false;
    const mayWrite = (target: Target) =>
      target === "new" ||
      (target === "own" ? manage : now.current.some(({ id, user_id }) => id === target && user_id === userId));
    void import("../../lib/session/story-drafts.ts")
      .then(({ unsavedStories }) => unsavedStories({ userId, memoryId }))
      .then((targets) => !hasLeft && setWriting((open) => open ?? targets.find(mayWrite)))
      // A failure is ignored, because the drafts stay stored for the next visit.
      .catch(() => {});
    return () => {
      hasLeft = true;
    };
  }, [userId, memoryId, manage, contribute]);

  return {
    writing,
    /** A number that rises each time the form reopens after it was discarded. */
    round,
    open: setWriting,
    close: () => setWriting(undefined),
    reopen: (target: Target) => {
      setRound((before) => before + 1);
      setWriting(target);
    },
  };
}
