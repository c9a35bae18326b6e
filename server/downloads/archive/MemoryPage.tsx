import type { ReactNode } from "react";
import { coarseDate } from "../../../shared/approximate-date.ts";
import { escapeHtml } from "../../../shared/escape-html.ts";
import { isolated } from "../../../shared/isolated.ts";
import { dateHeading } from "../../../shared/written-date.ts";
import { cleanHtml, withDirections } from "../../html/html.ts";
import type { Comment, MemoryContents } from "../contents.ts";
import { writtenDates, writtenDay, writtenMoment } from "./days.ts";
import { Page } from "./Page.tsx";
import { altOf, type ShownItem } from "./shown-item.ts";
import type { ArchiveTexts } from "./texts.ts";

/** The sections of a memory's page in their order; each renders nothing if it is empty. */
const SECTIONS: ((props: MemoryPageProps) => ReactNode)[] = [Description, Moments, Stories, Photos, Conversation];

export function MemoryPage(props: MemoryPageProps) {
  const { memory, cover, texts, back } = props;
  return (
    <Page {...props} title={memory.person_name}>
      <header className={cover ? "cover" : "cover sky"}>
        {cover && <img src={cover} alt="" />}
        <div>
          {back && (
            <p>
              <a href={back}>← {texts.back}</a>
            </p>
          )}
          <h1 dir="auto">{memory.person_name}</h1>
          <p className="dates">{writtenDates(memory, texts)}</p>
        </div>
      </header>
      {SECTIONS.map((Part) => (
        <Part key={Part.name} {...props} />
      ))}
    </Page>
  );
}

function Description({ memory, items, texts }: MemoryPageProps) {
  return memory.description ? <RichText html={memory.description} items={items} texts={texts} /> : null;
}

function Stories({ memory: { stories }, items, texts }: MemoryPageProps) {
  if (stories.length === 0) return null;
  return (
    <section aria-labelledby="stories" className="text">
      <h2 id="stories">{texts.stories}</h2>
      {stories.map((story, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a page that is written once
        <article key={place}>
          {story.title && <h3 dir="auto">{story.title}</h3>}
          <RichText html={story.body} items={items} texts={texts} />
          {story.author_name && <p className="by">{texts.by(isolated(story.author_name))}</p>}
        </article>
      ))}
    </section>
  );
}

function Moments({ memory: { moments, kind }, items, texts }: MemoryPageProps) {
  if (moments.length === 0) return null;
  return (
    <section aria-labelledby="moments" className="text">
      <h2 id="moments">{kind === "event" ? texts.programme : texts.timeline}</h2>
      <ol className="moments">
        {moments.map((moment, place) => {
          const picture = items.find(({ item }) => item.id === moment.media_id);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a page that is written once
            <li key={place}>
              <p className="when">{writtenMoment(moment, texts)}</p>
              <h3 dir="auto">{moment.title}</h3>
              {moment.place && (
                <p dir="auto" className="place">
                  {moment.place}
                </p>
              )}
              {moment.note && (
                <p dir="auto" className="note">
                  {moment.note}
                </p>
              )}
              {picture?.small && (
                <a href={picture.large ?? picture.file}>
                  <img {...picture.small} alt={altOf(picture.item, texts.photo)} loading="lazy" />
                </a>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function Photos({ memory, items, texts }: MemoryPageProps) {
  if (items.length === 0) return null;
  const grouped = memory.media_order === "taken" || memory.media_order === "newest";
  return (
    <section aria-labelledby="photos" className="photos">
      <h2 id="photos">{texts.photos}</h2>
      <Gallery items={items} grouped={grouped} texts={texts} />
    </section>
  );
}

function RichText({ html, items, texts }: { html: string; items: ShownItem[]; texts: ArchiveTexts }) {
  const photoOf = (id: string) => {
    const picture = items.find(({ item }) => item.id === id);
    if (picture?.item.type === "audio") return { sound: picture.file, alt: picture.item.caption || texts.recording };
    if (!picture?.small) return undefined;
    return { href: picture.large ?? picture.file, alt: altOf(picture.item, ""), ...picture.small };
  };
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned on the spot
  return <div className="story" dangerouslySetInnerHTML={{ __html: storyHtml(html, photoOf) }} />;
}

/** The comments on a memory and its photos. */
function Conversation({ memory: { comments }, items, texts }: MemoryPageProps) {
  const heads = comments.filter(({ parent_id }) => parent_id === null);
  if (heads.length === 0) return null;
  const about = ({ media_id }: Comment) => {
    const picture = items.find(({ item }) => item.id === media_id);
    return picture && <a href={picture.large ?? picture.file}>{texts.aboutPhoto}</a>;
  };
  const bodyOf = (comment: Comment) =>
    comment.body === "" ? (
      <p className="by">{texts.deleted}</p>
    ) : (
      <>
        <p>
          <strong dir="auto">{comment.author_name || texts.someone}</strong>{" "}
          <span className="when">{writtenDay(comment.created_at, texts)}</span> {about(comment)}
        </p>
        {comment.prompt && (
          <p dir="auto" className="by">
            {comment.prompt}
          </p>
        )}
        <p dir="auto" className="said">
          {comment.body}
        </p>
      </>
    );
  return (
    <section aria-labelledby="conversation" className="text">
      <h2 id="conversation">{texts.conversation}</h2>
      <ul className="talk">
        {heads.map((head) => {
          const answers = comments.filter(({ parent_id }) => parent_id === head.id);
          return (
            <li key={head.id}>
              {bodyOf(head)}
              {answers.length > 0 && (
                <ul className="talk">
                  {answers.map((answer) => (
                    <li key={answer.id}>{bodyOf(answer)}</li>
                  ))}
                </ul>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** A recording in a story, with its URL relative to the page. */
interface StorySound {
  sound: string;
  alt: string;
}

/** A photo in a story, with its URLs relative to the page. */
interface StoryPhoto {
  href: string;
  src: string;
  alt: string;
  width: number;
  height: number;
}

/** A story's HTML, sanitised again, with photos and recordings from the folders beside it. The caption replaces a missing one. */
const storyHtml = (html: string, photoOf: (id: string) => StoryPhoto | StorySound | undefined): string =>
  withDirections(cleanHtml(html)).replace(/<figure data-media="([0-9a-f-]{36})">/g, (_figure, id: string) => {
    const photo = photoOf(id);
    if (!photo) return "<figure>";
    if ("sound" in photo)
      return `<figure><audio src="${photo.sound}" controls preload="metadata" aria-label="${escapeHtml(photo.alt)}"></audio>`;
    const { href, src, alt, width, height } = photo;
    return `<figure><a href="${href}"><img src="${src}" alt="${escapeHtml(alt)}" width="${width}" height="${height}" loading="lazy"></a>`;
  });

interface MemoryPageProps {
  memory: MemoryContents;
  items: ShownItem[];
  /** The URL of the picture in the header. */
  cover?: string;
  texts: ArchiveTexts;
  root: string;
  /** The URL of the album's page. */
  back?: string;
  today: string;
}

/** Photos, videos, recordings and papers grouped by month or approximate date; ungrouped in the managers' order. */
function Gallery({ items, grouped, texts }: { items: ShownItem[]; grouped: boolean; texts: ArchiveTexts }) {
  const groups = grouped ? byMonth(items) : [{ month: undefined, items }];
  return groups.map(({ month, items }) => (
    <div key={month ?? items[0]?.item.id ?? ""} className="month">
      {grouped && <h3>{month ? dateHeading(month, texts.locale) : texts.undated}</h3>}
      <ul className="gallery">
        {items.map((entry) =>
          entry.item.type === "video" ? (
            <Video key={entry.item.id} entry={entry} texts={texts} />
          ) : entry.item.type === "audio" ? (
            <Sound key={entry.item.id} entry={entry} texts={texts} />
          ) : (
            <Photo key={entry.item.id} entry={entry} texts={texts} />
          ),
        )}
      </ul>
    </div>
  ));
}

function byMonth(items: ShownItem[]): { month: string | undefined; items: ShownItem[] }[] {
  const groups = new Map<string | undefined, ShownItem[]>();
  for (const entry of items) {
    const { taken_at } = entry.item;
    const month = taken_at ? coarseDate(taken_at, "month") : undefined;
    const group = groups.get(month) ?? [];
    group.push(entry);
    groups.set(month, group);
  }
  return [...groups].map(([month, items]) => ({ month, items }));
}

function Photo({ entry, texts }: { entry: ShownItem; texts: ArchiveTexts }) {
  const { item, file, large, video, back, small, pages } = entry;
  const kind = item.pages ? texts.paper : texts.photo;
  const ratio = small ? small.width / small.height : 1.5;
  return (
    <li style={{ flexGrow: ratio, flexBasis: `${Math.round(ratio * 13)}rem` }}>
      <figure>
        <a href={large ?? file} data-large={large} data-file={large === file ? undefined : file}>
          {small ? (
            <img src={small.src} alt={altOf(item, kind)} width={small.width} height={small.height} loading="lazy" />
          ) : (
            <span dir="auto" className="nameless">
              {item.file_name || kind}
            </span>
          )}
        </a>
        {(item.caption || item.prompt || item.names.length > 0 || video || back || item.pages) && (
          <figcaption>
            {item.prompt && (
              <span dir="auto" className="by">
                {item.prompt}{" "}
              </span>
            )}
            {item.caption && <span dir="auto">{item.caption} </span>}
            <ItemNames item={item} />
            {video && (
              <a href={video}>
                {texts.playLive}
                <span className="unseen"> {altOf(item, texts.photo)}</span>
              </a>
            )}
            {back && (
              <a href={back.large ?? back.file} data-large={back.large} data-file={back.file}>
                {texts.otherSide}
                <span className="unseen"> {altOf(item, texts.photo)}</span>
              </a>
            )}
            {item.back_text && (
              <p dir="auto" className="said">
                {item.back_text}
              </p>
            )}
            {pages.map((page, index) => (
              <a key={page} href={page}>
                {texts.page(index + 2)}{" "}
              </a>
            ))}
            {item.pages && item.object.access === "original" && (
              <a href={file}>
                {texts.openFile}
                <span dir="auto" className="unseen">
                  {" "}
                  {item.file_name}
                </span>
              </a>
            )}
            {item.pages && item.alt_text && (
              <p dir="auto" className="said">
                {item.alt_text}
              </p>
            )}
          </figcaption>
        )}
      </figure>
    </li>
  );
}

function Video({ entry: { item, file, small }, texts }: { entry: ShownItem; texts: ArchiveTexts }) {
  return (
    <li className="video">
      <figure>
        {/* biome-ignore lint/a11y/useMediaCaption: a family's video has no captions to offer but its own words below */}
        <video
          src={file}
          poster={small?.src}
          controls
          preload={small ? "none" : "metadata"}
          aria-label={altOf(item, texts.video)}
        />
        <figcaption>
          {item.prompt && (
            <span dir="auto" className="by">
              {item.prompt}{" "}
            </span>
          )}
          {item.caption && <span dir="auto">{item.caption} </span>}
          <ItemNames item={item} />
          <a href={file}>
            {texts.openFile}
            <span dir="auto" className="unseen">
              {" "}
              {item.file_name}
            </span>
          </a>
        </figcaption>
      </figure>
    </li>
  );
}

function Sound({ entry: { item, file }, texts }: { entry: ShownItem; texts: ArchiveTexts }) {
  return (
    <li className="video">
      <figure>
        {/* biome-ignore lint/a11y/useMediaCaption: its words are below */}
        <audio src={file} controls preload="metadata" aria-label={item.caption || texts.recording} />
        <figcaption>
          {item.prompt && (
            <span dir="auto" className="by">
              {item.prompt}{" "}
            </span>
          )}
          {item.caption && <span dir="auto">{item.caption} </span>}
          <ItemNames item={item} />
          <a href={file}>
            {texts.openFile}
            <span dir="auto" className="unseen">
              {" "}
              {item.file_name}
            </span>
          </a>
          {item.alt_text && (
            <p dir="auto" className="said">
              {item.alt_text}
            </p>
          )}
        </figcaption>
      </figure>
    </li>
  );
}

/** The names of people on a photo or video. */
const ItemNames = ({ item: { names } }: Pick<ShownItem, "item">) =>
  names.length > 0 && <span dir="auto">{names.map(({ name }) => name).join(", ")} </span>;
