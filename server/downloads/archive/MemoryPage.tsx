import type { ReactNode } from "react";
import { Conversation } from "./Conversation.tsx";
import { writtenDates, writtenMoment } from "./days.ts";
import { Gallery } from "./Gallery.tsx";
import type { MemoryPageProps } from "./memory-page-props.ts";
import { Page } from "./Page.tsx";
import { altOf, type ShownItem } from "./shown-item.ts";
import { storyHtml } from "./story-html.ts";

/** The parts of a memory's page in their order; each is empty where there is nothing of its kind. */
const SECTIONS: ((props: MemoryPageProps) => ReactNode)[] = [Description, Moments, Stories, Photos, Conversation];

/** A memory as a page to be opened from a disk. */
export function MemoryPage(props: MemoryPageProps) {
  const { memory, cover, words, back } = props;
  return (
    <Page {...props} title={memory.person_name}>
      <header className={cover ? "cover" : "cover sky"}>
        {cover && <img src={cover} alt="" />}
        <div>
          {back && (
            <p>
              <a href={back}>← {words.back}</a>
            </p>
          )}
          <h1>{memory.person_name}</h1>
          <p className="dates">{writtenDates(memory, words)}</p>
        </div>
      </header>
      {SECTIONS.map((Part) => (
        <Part key={Part.name} {...props} />
      ))}
    </Page>
  );
}

function Description({ memory, items }: MemoryPageProps) {
  return memory.description ? <Told html={memory.description} items={items} /> : null;
}

function Stories({ memory: { stories }, items, words }: MemoryPageProps) {
  if (stories.length === 0) return null;
  return (
    <section aria-labelledby="stories" className="text">
      <h2 id="stories">{words.stories}</h2>
      {stories.map((story, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a page that is written once
        <article key={place}>
          {story.title && <h3>{story.title}</h3>}
          <Told html={story.body} items={items} />
          {story.author_name && <p className="by">{words.told(story.author_name)}</p>}
        </article>
      ))}
    </section>
  );
}

function Moments({ memory: { moments, kind }, items, words }: MemoryPageProps) {
  if (moments.length === 0) return null;
  return (
    <section aria-labelledby="moments" className="text">
      <h2 id="moments">{kind === "event" ? words.programme : words.timeline}</h2>
      <ol className="moments">
        {moments.map((moment, place) => {
          const shown = items.find(({ item }) => item.id === moment.media_id);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a page that is written once
            <li key={place}>
              <p className="when">{writtenMoment(moment, words)}</p>
              <h3>{moment.title}</h3>
              {moment.place && <p className="place">{moment.place}</p>}
              {moment.note && <p className="note">{moment.note}</p>}
              {shown?.small && (
                <a href={shown.large ?? shown.file}>
                  <img {...shown.small} alt={altOf(shown.item, words.photo)} loading="lazy" />
                </a>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function Photos({ memory, items, words }: MemoryPageProps) {
  if (items.length === 0) return null;
  const grouped = memory.media_order === "taken" || memory.media_order === "newest";
  return (
    <section aria-labelledby="photos" className="photos">
      <h2 id="photos">{words.photos}</h2>
      <Gallery items={items} grouped={grouped} words={words} />
    </section>
  );
}

function Told({ html, items }: { html: string; items: ShownItem[] }) {
  const photoOf = (id: string) => {
    const shown = items.find(({ item }) => item.id === id);
    if (!shown?.small) return undefined;
    return { href: shown.large ?? shown.file, alt: altOf(shown.item, ""), ...shown.small };
  };
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned on the spot
  return <div className="story" dangerouslySetInnerHTML={{ __html: storyHtml(html, photoOf) }} />;
}
