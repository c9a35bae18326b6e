import "../../i18n/words/media.ts";
import "../../i18n/words/memories.ts";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useOutletContext } from "react-router";
import { usePageTitle } from "../../lib/page-title.ts";
import { Problem } from "../../ui/Problem.tsx";
import type { OpenedShareContext } from "../sharing/sharing.queries.ts";
import { MemoryHero } from "./MemoryHero.tsx";
import { MemorySkeleton } from "./MemorySkeleton.tsx";
import { MemoryStory } from "./MemoryStory.tsx";
import { memoryQuery, useMemoryLive } from "./memories.queries.ts";
import { PhotoSection } from "./PhotoSection.tsx";
import { useMemoryPhotos } from "./photos/use-memory-photos.ts";

/** What an opened share shows: the memory, to be looked at. */
export default function SharedMemory() {
  const { t } = useTranslation("memories");
  const { client, memoryId, onRefused } = useOutletContext<OpenedShareContext>();
  useMemoryLive(client, memoryId);
  const memory = useQuery(memoryQuery(client, memoryId));
  const photos = useMemoryPhotos(client, memoryId);
  const { cover, urls } = photos;
  usePageTitle(memory.data?.person_name ?? "");

  // Nothing to see where there was a memory: the link does not open it any more.
  const gone = memory.data === null;
  useEffect(() => {
    if (gone) onRefused();
  }, [gone, onRefused]);

  if (memory.isError) return <Problem error={new Error(t("page.failed"))} retry={memory.refetch} />;
  if (!memory.data) return <MemorySkeleton label={t("list.title")} />;
  return (
    <article className="grid gap-10 sm:gap-14">
      <MemoryHero memory={memory.data} cover={cover} coverUrl={cover && urls[cover.object_name]} />
      {memory.data.description && (
        <div className="px-5 sm:px-8">
          <MemoryStory html={memory.data.description} />
        </div>
      )}
      <PhotoSection photos={photos} onFailed={onRefused} />
    </article>
  );
}
