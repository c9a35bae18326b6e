import { Fragment, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Memory } from "../../data/memories.queries.ts";
import type { Story } from "../../data/stories.queries.ts";
import type { KnownMedia } from "../../media/use-story-media.ts";
import { StoryCard } from "./StoryCard.tsx";
import { StoryText } from "./StoryText.tsx";

/** What whoever looks may do with one of the stories. */
export interface StoryTools {
  /** Stands in the story's place while it is being written. */
  writer?: ReactNode;
  edit?: ReactNode;
  handle?: ReactNode;
  menu?: ReactNode;
}

interface StoriesProps {
  memory: Pick<Memory, "description">;
  stories: Story[];
  media: KnownMedia;
  /** Stands in the place of the memory's own words, or under them. */
  own?: { writer?: ReactNode; tools?: ReactNode };
  toolsOf?: (story: Story, index: number) => StoryTools;
  /** After the last story. */
  children?: ReactNode;
}

/** What is told of a memory: its own words first, then what others tell. */
export function Stories({ memory, stories, media, own, toolsOf, children }: StoriesProps) {
  const { t } = useTranslation("stories");
  return (
    <>
      {own?.writer ??
        ((memory.description || own?.tools) && (
          <div className="grid w-full max-w-[42rem] grid-cols-[minmax(0,1fr)] gap-4">
            {memory.description && <StoryText html={memory.description} media={media} />}
            {own?.tools}
          </div>
        ))}
      {stories.length > 0 && (
        <section aria-labelledby="stories" className="grid grid-cols-[minmax(0,1fr)] gap-10 sm:gap-12">
          <h2 id="stories" className="font-serif text-2xl sm:text-3xl">
            {t("read.title")}
          </h2>
          {stories.map((story, index) => {
            const { writer, ...tools } = toolsOf?.(story, index) ?? {};
            return (
              <Fragment key={story.id}>
                {index > 0 && <hr className="w-16 border-edge" />}
                {writer ?? (
                  <div className="w-full max-w-[42rem]">
                    <StoryCard story={story} media={media} {...tools} />
                  </div>
                )}
              </Fragment>
            );
          })}
        </section>
      )}
      {children}
    </>
  );
}
