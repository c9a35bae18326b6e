import { type ReactNode, Suspense } from "react";
import type { CoverPhoto, MemoryChanges } from "../../data/memories.queries.ts";
import type { MemoryContext } from "../../data/memory-context.ts";
import { MemoryHero } from "../../features/memories/MemoryHero.tsx";
import { PhotoSection, type PhotoSectionProps } from "../../features/photos/PhotoSection.tsx";
import type { PhotoComments } from "../../features/photos/photo-comments.ts";
import { lazyPart } from "../../lib/browser/lazy-part.ts";
import { MediaUrlCacheProvider, useNewMediaUrlCache } from "../../media/use-media-urls.ts";

const Candle = lazyPart(() => import("../../features/comments/Candle.tsx"));
const Conversation = lazyPart(() => import("../../features/comments/Conversation.tsx"));
const DownloadButton = lazyPart(() => import("../../media/downloads/DownloadButton.tsx"));
const HandoverOffer = lazyPart(() => import("../../features/people/HandoverOffer.tsx"));
const MemoryNoticesButton = lazyPart(() => import("../../features/notices/MemoryNoticesButton.tsx"));
const PeopleButton = lazyPart(() => import("../../features/people/PeopleButton.tsx"));
const ReportButton = lazyPart(() => import("../../features/reports/ReportButton.tsx"));
const ShareButton = lazyPart(() => import("../../features/sharing/ShareButton.tsx"));
const TrashButton = lazyPart(() => import("../../features/trash/TrashButton.tsx"));
const WaitingButton = lazyPart(() => import("../../features/moderation/WaitingButton.tsx"));

const PHOTO_COMMENTS: PhotoComments = {
  Button: lazyPart(() => import("../../features/comments/PhotoCommentsButton.tsx")),
  Panel: lazyPart(() => import("../../features/comments/PhotoComments.tsx")),
};

interface MemoryViewProps extends Omit<PhotoSectionProps, "context" | "conversation" | "comments"> {
  context: MemoryContext;
  /** What stands for the memory; null for its own sky. */
  cover: CoverPhoto | null;
  /** What is being written of the memory, shown before it is saved. */
  written?: MemoryChanges;
  /** Under the name, after the buttons that everybody has there. */
  tools?: ReactNode;
  /** The stories and the timeline. */
  content: ReactNode;
}

/** A memory's page, the same for everyone who sees it; what they may do with it is handed in. */
export function MemoryView({ context, cover, written, tools, content, ...photos }: MemoryViewProps) {
  const { client, memory, rights } = context;
  const urls = useNewMediaUrlCache(client);
  const member = rights.role !== null && rights.role !== "visitor";
  const buttons = member || rights.download || tools;
  return (
    <MediaUrlCacheProvider value={urls}>
      <article className="grid gap-10 sm:gap-14">
        <MemoryHero memory={{ ...memory, ...written }} cover={cover}>
          {buttons && (
            // All of them come together: what is there first would be moved by what comes later.
            <Suspense fallback={<div className="mt-3 h-11" />}>
              <div className="mt-3 flex flex-wrap gap-2 sm:gap-3">
                {rights.manage && <WaitingButton {...context} />}
                {rights.manage && <ShareButton {...context} />}
                {rights.download && <DownloadButton {...context} />}
                {member && <PeopleButton {...context} />}
                {member && <MemoryNoticesButton {...context} />}
                {tools}
              </div>
            </Suspense>
          )}
        </MemoryHero>
        <Suspense fallback={<div className="min-h-14" />}>
          <Candle {...context} />
          {member && !rights.delete && <HandoverOffer {...context} />}
        </Suspense>
        {content}
        <PhotoSection
          {...photos}
          context={context}
          conversation={<Conversation {...context} />}
          comments={PHOTO_COMMENTS}
        />
        <Suspense>
          {member && rights.contribute && <TrashButton {...context} />}
          <ReportButton {...context} />
        </Suspense>
      </article>
    </MediaUrlCacheProvider>
  );
}
