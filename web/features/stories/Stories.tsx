import { Eye, EyeOff } from "lucide-react";
import { Fragment, type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { Memory } from "../../data/memories.queries.ts";
import type { Story } from "../../data/stories.queries.ts";
import { useScrollToHash } from "../../lib/browser/use-scroll-to-hash.ts";
import { dateText, localeOf } from "../../lib/formatting/locale.ts";
import type { KnownMedia } from "../../media/use-story-media.ts";
import { StoryText } from "./StoryText.tsx";

/** The reader's actions on a story. */
export interface StoryTools {
  /** Form that replaces the story while the story is edited. */
  writer?: ReactNode;
  edit?: ReactNode;
  handle?: ReactNode;
  menu?: ReactNode;
}

interface StoriesProps {
  memory: Pick<Memory, "description">;
  stories: Story[];
  media: KnownMedia;
  /** For the memory's description: a form that replaces it, or tools below it. */
  own?: { writer?: ReactNode; tools?: ReactNode };
  toolsOf?: (story: Story, index: number) => StoryTools;
  /** Content after the last story. */
  children?: ReactNode;
}

/** Renders the texts about a memory: the description first, then the stories. */
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

interface StoryCardProps {
  story: Story;
  media: KnownMedia;
  /** Edit button, for the author. */
  edit?: ReactNode;
  /** Drag handle, for managers. */
  handle?: ReactNode;
  /** Menu of the reader's other actions. */
  menu?: ReactNode;
}

/** Renders a story with its author's name. */
function StoryCard({ story, media, edit, handle, menu }: StoryCardProps) {
  const { t, i18n } = useTranslation("stories");
  useScrollToHash(`story-${story.id}`, "start");
  const date = dateText(story.created_at, localeOf(i18n.language));
  return (
    <article
      id={`story-${story.id}`}
      aria-labelledby={`teller-${story.id}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-5"
    >
      <header className="flex flex-wrap items-start gap-2">
        <div className="grid min-w-0 grow basis-40 gap-1">
          {story.title && (
            <h3 dir="auto" className="font-serif text-[1.6rem] leading-snug font-semibold sm:text-3xl">
              {story.title}
            </h3>
          )}
          <p id={`teller-${story.id}`} className="text-base text-ink-soft">
            {story.credit ? t("read.by", { name: story.credit.name, date }) : date}
          </p>
        </div>
        {(edit || menu) && (
          <div className="-my-1.5 ms-auto flex shrink-0 print:hidden">
            {handle}
            {edit}
            <Suspense fallback={<span className="size-11" />}>{menu}</Suspense>
          </div>
        )}
      </header>
      {story.moderation !== "shown" && (
        <p className="flex items-center gap-3 rounded-xl bg-sunken px-4 py-3 text-base text-ink-soft">
          {story.moderation === "hidden" ? (
            <EyeOff aria-hidden className="size-5 shrink-0" />
          ) : (
            <Eye aria-hidden className="size-5 shrink-0" />
          )}
          {t(`read.${story.moderation}`)}
        </p>
      )}
      <StoryText html={story.body} media={media} titled />
    </article>
  );
}
