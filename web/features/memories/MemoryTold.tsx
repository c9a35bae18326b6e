import { useStoriesLive } from "../../data/stories.queries.ts";
import { useEntriesLive } from "../../data/timeline.queries.ts";
import { readerTools } from "../stories/reader-tools.tsx";
import { Stories } from "../stories/Stories.tsx";
import { EntriesSection } from "../timeline/EntriesSection.tsx";
import type { MemoryPlace } from "./memory-places.tsx";
import { useMemoryTold } from "./use-memory-told.ts";

/** What is told of a memory, to be read: its own words, the stories, the timeline or the programme. */
export function MemoryTold({ client, memory }: Pick<MemoryPlace, "client" | "memory">) {
  useStoriesLive(client, memory.id);
  useEntriesLive(client, memory.id);
  const { stories, entries, media } = useMemoryTold(client, memory.id, memory.description);
  return (
    <>
      <Stories memory={memory} stories={stories.data ?? []} media={media} toolsOf={readerTools} />
      <EntriesSection memory={memory} entries={entries.data ?? []} media={media} />
    </>
  );
}
