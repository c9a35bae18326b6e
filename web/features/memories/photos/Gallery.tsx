import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../media/media.queries.ts";
import { writtenDay } from "../memory-dates.ts";
import { justifiedLayout, usableRatio } from "./justified-layout.ts";
import { PhotoTile } from "./PhotoTile.tsx";
import { type PhotoGroup, photoGroups } from "./photo-groups.ts";
import { useElementWidth } from "./use-element-width.ts";

const GAP = 8;
const EAGER = 8;

const rowHeightFor = (width: number) => (width < 480 ? 150 : width < 900 ? 200 : 260);

interface GalleryProps {
  photos: Photo[];
  /** Signed addresses by object name. */
  urls: Record<string, string>;
  /** A photo could not be loaded from its address. */
  onFailed: () => void;
}

/** Photos as an album: by the day they were taken, in rows that reach both edges. */
export function Gallery({ photos, urls, onFailed }: GalleryProps) {
  const groups = useMemo(() => photoGroups(photos), [photos]);
  const { ref, width } = useElementWidth<HTMLDivElement>();
  return (
    <div ref={ref} className="grid gap-8">
      {width > 0 &&
        groups.map((group, index) => (
          <Group
            key={group.day ?? "undated"}
            group={group}
            width={width}
            urls={urls}
            titled={groups.length > 1 || group.day !== undefined}
            eager={index === 0 ? EAGER : 0}
            onFailed={onFailed}
          />
        ))}
    </div>
  );
}

interface GroupProps extends Omit<GalleryProps, "photos"> {
  group: PhotoGroup;
  width: number;
  titled: boolean;
  /** How many of the photos are likely in sight at once. */
  eager: number;
}

function Group({ group: { day, photos }, width, urls, titled, eager, onFailed }: GroupProps) {
  const { t, i18n } = useTranslation("media");
  const { boxes, height } = useMemo(
    () =>
      justifiedLayout(
        photos.map((photo) => usableRatio(photo.width, photo.height)),
        { width, rowHeight: rowHeightFor(width), gap: GAP },
      ),
    [photos, width],
  );
  const title = day ? writtenDay(day, i18n.language) : t("undated");
  return (
    // Groups far outside the window cost no layout: their height is known.
    <section
      aria-label={title}
      style={{ contentVisibility: "auto", containIntrinsicBlockSize: `auto ${height + (titled ? 44 : 0)}px` }}
    >
      {titled && <h3 className="mb-3 text-base font-semibold text-ink-soft">{title}</h3>}
      <ul className="relative m-0 list-none p-0" style={{ height }}>
        {photos.map((photo, index) => {
          const box = boxes[index];
          return (
            box && (
              <PhotoTile
                key={photo.id}
                photo={photo}
                url={urls[photo.object_name]}
                box={box}
                eager={index < eager}
                onFailed={onFailed}
              />
            )
          );
        })}
      </ul>
    </section>
  );
}
