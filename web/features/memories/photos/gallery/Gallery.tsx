import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../../media/media.queries.ts";
import { writtenDay } from "../../memory-dates.ts";
import { usableRatio } from "./justified-layout.ts";
import { PhotoTile } from "./PhotoTile.tsx";
import { photoGroups } from "./photo-groups.ts";
import { type Placed, photoShelves } from "./photo-shelves.ts";
import { useElementWidth } from "./use-element-width.ts";

const GAP = 8;
const GROUP_GAP = 20;
const TITLE_HEIGHT = 36;
/** Photos that are likely in sight at once, and so are not left to be loaded later. */
const EAGER = 8;

/** On a phone a lone photo may be as wide as the page. */
const heightsFor = (width: number) =>
  width < 480 ? { rowHeight: 150, tallest: 2 } : { rowHeight: width < 900 ? 200 : 260, tallest: 1.45 };

interface GalleryProps {
  photos: Photo[];
  /** Signed addresses by object name. */
  urls: Record<string, string>;
  /** A photo could not be loaded from its address. */
  onFailed: () => void;
}

interface Group {
  day: string | undefined;
  photos: Photo[];
  ratios: number[];
  /** How many of the gallery's photos come before. */
  before: number;
}

/** Photos as an album: by the day they were taken, in rows that reach both edges. */
export function Gallery({ photos, urls, onFailed }: GalleryProps) {
  const { ref, width } = useElementWidth<HTMLDivElement>();
  const shelves = useMemo(() => {
    let before = 0;
    const groups = photoGroups(photos).map((group): Group => {
      const ratios = group.photos.map((photo) => usableRatio(photo.width, photo.height));
      before += group.photos.length;
      return { ...group, ratios, before: before - group.photos.length };
    });
    return width > 0 ? photoShelves(groups, { width, ...heightsFor(width), gap: GAP, groupGap: GROUP_GAP }) : [];
  }, [photos, width]);
  const titled = photos.some((photo) => photo.taken_at);

  return (
    <div ref={ref} className="grid gap-6">
      {shelves.map(({ groups, height }) => (
        // Shelves far outside the window cost no layout: their height is known.
        <div
          key={groups[0]?.group.photos[0]?.id}
          className="flex"
          style={{
            gap: GROUP_GAP,
            contentVisibility: "auto",
            containIntrinsicBlockSize: `auto ${height + (titled ? TITLE_HEIGHT : 0)}px`,
          }}
        >
          {groups.map((placed) => (
            <Day
              key={placed.group.day ?? "undated"}
              placed={placed}
              height={height}
              urls={urls}
              titled={titled}
              onFailed={onFailed}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface DayProps extends Omit<GalleryProps, "photos"> {
  placed: Placed<Group>;
  height: number;
  titled: boolean;
}

function Day({ placed: { group, width, boxes }, height, urls, titled, onFailed }: DayProps) {
  const { t, i18n } = useTranslation("media");
  const title = group.day ? writtenDay(group.day, i18n.language) : t("undated");
  return (
    <section aria-label={title} style={{ width }}>
      {titled && (
        <h3 className="truncate text-base text-ink-soft" style={{ height: TITLE_HEIGHT }} title={title}>
          {title}
        </h3>
      )}
      <ul className="relative m-0 list-none p-0" style={{ height }}>
        {group.photos.map((photo, index) => {
          const box = boxes[index];
          return (
            box && (
              <PhotoTile
                key={photo.id}
                photo={photo}
                url={urls[photo.object_name]}
                box={box}
                eager={group.before + index < EAGER}
                onFailed={onFailed}
              />
            )
          );
        })}
      </ul>
    </section>
  );
}
