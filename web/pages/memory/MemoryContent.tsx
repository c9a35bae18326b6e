import type { MemoryContext } from "../../data/memory-context.ts";
import { useStoriesLive } from "../../data/stories.queries.ts";
import { useEntriesLive } from "../../data/timeline.queries.ts";
import { readerTools } from "../../features/stories/reader-tools.tsx";
import { Stories } from "../../features/stories/Stories.tsx";
import { EntriesSection } from "../../features/timeline/EntriesSection.tsx";
import type { MemoryContentQueries } from "./use-memory-content.ts";

interface MemoryContentProps extends Pick<MemoryContext, "client" | "memory"> {
  content: MemoryContentQueries;
}

/** What a visitor reads of a memory: its own words, the stories, the timeline or the programme. */
export function MemoryContent({ client, memory, content: { stories, entries, media } }: MemoryContentProps) {
  useStoriesLive(client, memory.id);
  useEntriesLive(client, memory.id);
  return (
    <>
      <Stories memory={memory} stories={stories.data ?? []} media={media} toolsOf={readerTools} />
      <EntriesSection memory={memory} entries={entries.data ?? []} media={media} />
    </>
  );
}
