import { coarseDate } from "../../../shared/approximate-date.ts";
import { dateHeading } from "../../../shared/written-date.ts";
import { altOf, type ShownItem } from "./shown-item.ts";
import type { ArchiveTexts } from "./texts.ts";

/** Photos and videos under the months they were taken in, or what else is known; in their managers' own order without. */
export function Gallery({ items, grouped, words }: { items: ShownItem[]; grouped: boolean; words: ArchiveTexts }) {
  const groups = grouped ? byMonth(items) : [{ month: undefined, items }];
  return groups.map(({ month, items }) => (
    <div key={month ?? items[0]?.item.id ?? ""} className="month">
      {grouped && <h3>{month ? dateHeading(month, words.locale) : words.undated}</h3>}
      <ul className="gallery">
        {items.map((shown) =>
          shown.item.type === "video" ? (
            <Video key={shown.item.id} shown={shown} words={words} />
          ) : (
            <Photo key={shown.item.id} shown={shown} words={words} />
          ),
        )}
      </ul>
    </div>
  ));
}

function byMonth(items: ShownItem[]): { month: string | undefined; items: ShownItem[] }[] {
  const groups = new Map<string | undefined, ShownItem[]>();
  for (const shown of items) {
    const { taken_at } = shown.item;
    const month = taken_at ? coarseDate(taken_at, "month") : undefined;
    const group = groups.get(month) ?? [];
    group.push(shown);
    groups.set(month, group);
  }
  return [...groups].map(([month, items]) => ({ month, items }));
}

function Photo({ shown: { item, file, large, video, small }, words }: { shown: ShownItem; words: ArchiveTexts }) {
  const ratio = small ? small.width / small.height : 1.5;
  return (
    <li style={{ flexGrow: ratio, flexBasis: `${Math.round(ratio * 13)}rem` }}>
      <figure>
        <a href={large ?? file} data-large={large} data-file={large === file ? undefined : file}>
          {small ? (
            <img
              src={small.src}
              alt={altOf(item, words.photo)}
              width={small.width}
              height={small.height}
              loading="lazy"
            />
          ) : (
            <span className="nameless">{item.file_name || words.photo}</span>
          )}
        </a>
        {(item.caption || video) && (
          <figcaption>
            {item.caption && <span>{item.caption} </span>}
            {video && (
              <a href={video}>
                {words.playLive}
                <span className="unseen"> {altOf(item, words.photo)}</span>
              </a>
            )}
          </figcaption>
        )}
      </figure>
    </li>
  );
}

function Video({ shown: { item, file, small }, words }: { shown: ShownItem; words: ArchiveTexts }) {
  return (
    <li className="video">
      <figure>
        {/* biome-ignore lint/a11y/useMediaCaption: a family's video has no captions to offer but its own words below */}
        <video
          src={file}
          poster={small?.src}
          controls
          preload={small ? "none" : "metadata"}
          aria-label={altOf(item, words.video)}
        />
        <figcaption>
          {item.caption && <span>{item.caption} </span>}
          <a href={file}>
            {words.openFile}
            <span className="unseen"> {item.file_name}</span>
          </a>
        </figcaption>
      </figure>
    </li>
  );
}
