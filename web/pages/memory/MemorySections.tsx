import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { MemoryAtAGlance } from "../../data/memories.queries.ts";
import type { MemoryContext } from "../../data/memory-context.ts";
import { sectionEntries } from "../../data/timeline.queries.ts";
import { commentsQuery } from "../../features/comments/comments.queries.ts";
import { countOf, threadsOf } from "../../features/comments/threads.ts";
import { type PageSection, SectionNav } from "../../features/memories/SectionNav.tsx";
import { MemorySearchButton } from "../../features/search/MemorySearchButton.tsx";
import type { MemoryPhotos } from "../../media/use-memory-photos.ts";
import type { MemoryContentQueries } from "./use-memory-content.ts";

interface MemorySectionsProps {
  context: MemoryContext & { memory: MemoryAtAGlance };
  photos: MemoryPhotos;
  content: MemoryContentQueries;
}

/** Links to the page's sections: those with content, and those to which the reader may add. */
// A component of its own, so that the page is not rendered again when its comments arrive.
export function MemorySections({
  context,
  photos: { query, photos },
  content: { stories, entries, day, isDayPast },
}: MemorySectionsProps) {
  const { client, memory, rights } = context;
  const { t } = useTranslation(["memories", "media"]);
  // Disabled here: the conversation loads the comments, and this only counts them.
  const comments = useInfiniteQuery({
    ...commentsQuery(client, { memoryId: memory.id, mediaId: null }),
    enabled: false,
  });
  const storyCount = stories.data?.length ?? 0;
  const moments = sectionEntries(memory.kind, entries.data ?? []).length;
  const sections: PageSection[] = [
    ...(day.data?.length && !isDayPast ? [{ id: "day", label: t("sections.day") }] : []),
    ...(storyCount > 0 || memory.description || rights.contribute
      ? [{ id: "story", label: t("sections.story"), count: storyCount }]
      : []),
    ...(moments > 0 || rights.manage
      ? [{ id: "life", label: t(memory.kind === "event" ? "sections.programme" : "sections.life") }]
      : []),
    { id: "photos", label: t("media:photos"), count: query.isSuccess ? photos.length : memory.photo_count },
    {
      id: "conversation",
      label: t("sections.conversation"),
      // Until all pages are loaded, the number that was counted with the memory is the whole.
      count: comments.data && !comments.hasNextPage ? countOf(threadsOf(comments.data.pages)) : memory.comment_count,
    },
  ];
  return (
    <SectionNav sections={sections}>
      <MemorySearchButton {...context} />
    </SectionNav>
  );
}
