import { type ReactNode, Suspense, useState } from "react";
import type { CoverPhoto, MemoryAtAGlance, MemoryChanges } from "../../data/memories.queries.ts";
import type { MemoryContext } from "../../data/memory-context.ts";
import { heroActionsRoom, MemoryHero } from "../../features/memories/MemoryHero.tsx";
import type { PhotoSectionProps } from "../../features/photos/PhotoSection.tsx";
import { PhotoStrip } from "../../features/photos/PhotoStrip.tsx";
import type { PhotoComments } from "../../features/photos/photo-comments.ts";
import { useLaterParts } from "../../lib/browser/first-pictures.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { PartBoundary } from "../../lib/browser/part-boundary.ts";
import type { CopyOwner } from "../../media/offline/copy-owner.ts";
import type { AddRecording } from "../../media/recording/voice-recorder.ts";
import { MediaUrlCacheProvider, useNewMediaUrlCache } from "../../media/use-media-urls.ts";
import { classNames } from "../../ui/class-names.ts";
import { MemorySections } from "./MemorySections.tsx";
import type { MemoryActions } from "./MemoryTools.tsx";
import { type MemoryContentQueries, standsBesideStory } from "./use-memory-content.ts";

const Candle = lazyPart(() => import("../../features/comments/Candle.tsx"));
const Conversation = lazyPart(() => import("../../features/comments/Conversation.tsx"));
// Loaded lazily, because a memory can be read without the gallery and the tools.
const PhotoSection = lazyPart(async () => ({
  default: (await import("../../features/photos/PhotoSection.tsx")).PhotoSection,
}));
const MemoryTools = lazyPart(async () => ({ default: (await import("./MemoryTools.tsx")).MemoryTools }));
const HandoverOffer = lazyPart(() => import("../../features/people/HandoverOffer.tsx"), "nothing");
const ReportButton = lazyPart(() => import("../../features/reports/ReportButton.tsx"), "nothing");
const OfflineCopy = lazyPart(() => import("../../media/offline/OfflineCopy.tsx"), "nothing");
const Prompts = lazyPart(() => import("../../features/prompts/Prompts.tsx"), "nothing");
const Slideshows = lazyPart(() => import("../../features/slideshows/Slideshows.tsx"), "nothing");
const TrashButton = lazyPart(() => import("../../features/trash/TrashButton.tsx"), "nothing");

const PHOTO_COMMENTS: PhotoComments = {
  Button: lazyPart(() => import("../../features/comments/PhotoCommentsButton.tsx"), "nothing"),
  Panel: lazyPart(() => import("../../features/comments/PhotoComments.tsx")),
};
const NO_TOOLS: MemoryActions = {};
/** What every reader's page has after its first pictures; one file of the build. */
const LATER = [MemoryTools, Candle, PhotoSection, Conversation, ReportButton];

interface MemoryViewProps extends Omit<PhotoSectionProps, "context" | "conversation" | "discussed" | "comments"> {
  context: MemoryContext & { memory: MemoryAtAGlance };
  /** Null shows the memory's generated sky. */
  cover: CoverPhoto | null;
  /** Unsaved changes, shown in the heading as they are typed. */
  written?: MemoryChanges;
  tools?: MemoryActions;
  /** The reader's own next step, before the other actions below the name. */
  heroAction?: ReactNode;
  /** The form for the memory's details, while it is open. */
  editor?: ReactNode;
  stories: ReactNode;
  /** The timeline or the programme. */
  life: ReactNode;
  /** When and where: before the photos until it has passed, and after the stories then. */
  day: ReactNode;
  /** Data of `stories`, `life` and `day`. */
  content: MemoryContentQueries;
  /** Adds files that answer a prompt. */
  onFiles?: AddRecording | false;
  /** Whose offline copy this page is. */
  copy: CopyOwner;
}

/** A memory's page, for members and visitors. The caller passes the parts that depend on their rights. */
export function MemoryView(props: MemoryViewProps) {
  const { context, cover, written, tools = NO_TOOLS, heroAction, content, onFiles, copy, ...parts } = props;
  const { editor, stories, life, day, ...photos } = parts;
  const { client, memory, rights } = context;
  const urls = useNewMediaUrlCache(client, memory.id);
  const member = rights.role !== null && rights.role !== "visitor";
  // Fixed when the page opens, so that the reader's first comment does not shift the photos.
  const [discussed] = useState(memory.comment_count > 0);
  const laterParts = useLaterParts(LATER.length, LATER);
  const { query, photos: loaded } = photos.photos;
  const hasPhotos = query.isSuccess ? loaded.length > 0 : memory.photo_count > 0;
  const [beside] = useState(() => standsBesideStory(memory, content));
  return (
    <MediaUrlCacheProvider value={urls}>
      <article className="grid grid-cols-[minmax(0,1fr)]">
        <MemoryHero memory={{ ...memory, ...written }} cover={cover}>
          {(member || rights.download || heroAction) && (
            // Shown all at once, because late parts would shift early ones.
            <Rest there={laterParts > 0} room={heroActionsRoom}>
              <MemoryTools context={context} actions={tools} lead={heroAction} downloadable={hasPhotos} />
            </Rest>
          )}
        </MemoryHero>
        <MemorySections context={context} photos={photos.photos} content={content} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-12 pt-5 pb-16 sm:gap-16">
          <div className="page-width grid grid-cols-[minmax(0,1fr)] gap-8">
            {!content.isDayPast && <PartBoundary>{day}</PartBoundary>}
            <PhotoStrip photos={photos.photos} expected={memory.photo_count} />
            <PartBoundary>{editor}</PartBoundary>
            <Rest there={laterParts > 1} room={<div className="min-h-14" />}>
              <Candle {...context} />
              {member && !rights.delete && <HandoverOffer {...context} />}
            </Rest>
          </div>
          <div
            className={classNames(
              "page-width grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-14 has-[>:empty+:empty]:hidden",
              beside && "xl:grid-cols-[minmax(0,1fr)_24rem]",
            )}
          >
            <div id="story" className="grid grid-cols-[minmax(0,1fr)] content-start gap-14 empty:hidden">
              <PartBoundary>{stories}</PartBoundary>
            </div>
            <div id="life" className="@container empty:hidden">
              <PartBoundary>{life}</PartBoundary>
            </div>
          </div>
          {content.isDayPast && (
            <div className="page-width">
              <PartBoundary>{day}</PartBoundary>
            </div>
          )}
          <Rest there={laterParts > 2} room={<div id="photos" className="min-h-dvh" />}>
            <Prompts {...context} onFiles={onFiles || undefined} />
            {(memory.slideshows.length > 0 || rights.manage) && <Slideshows {...context} photos={photos.photos} />}
            <PhotoSection
              {...photos}
              context={context}
              conversation={
                <Rest there={laterParts > 3}>
                  <Conversation {...context} />
                </Rest>
              }
              discussed={discussed}
              comments={PHOTO_COMMENTS}
            />
          </Rest>
          <Rest there={laterParts > 4}>
            <OfflineCopy owner={copy} id={memory.id} title={memory.person_name} cover={cover} photos={loaded} />
            <div className="page-width flex flex-wrap gap-3">
              {member && rights.contribute && <TrashButton {...context} />}
              <ReportButton {...context} />
            </div>
          </Rest>
        </div>
      </article>
    </MediaUrlCacheProvider>
  );
}

/** Delays a part of the page until it is its turn (`there`), with `room` in its place. */
// The first room is no child of the boundary: React would keep it hidden, and a link to its id would lead to that.
const Rest = ({ there, room, children }: { there: boolean; room?: ReactNode; children: ReactNode }) =>
  there ? <Suspense fallback={room}>{children}</Suspense> : room;
