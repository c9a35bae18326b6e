import { useId } from "react";
import { useTranslation } from "react-i18next";
import { dateHeading } from "../../../../shared/written-date.ts";
import type { Hearts } from "../../../actions/hearts.ts";
import type { Photo } from "../../../data/photo.ts";
import type { NearRange } from "../../../ui/use-near-range.ts";
import { type GalleryLayout, isBetween, type PlacedGroup } from "./gallery-layout.ts";
import { PhotoTile, type TileUse } from "./PhotoTile.tsx";

interface GalleryGroupProps {
  group: PlacedGroup;
  layout: GalleryLayout;
  range: NearRange;
  use: TileUse;
  /** Undefined if nothing can be selected. */
  selected: ReadonlySet<string> | undefined;
  carried: ReadonlySet<string>;
  /** Id of the photo in the tab order. It is rendered even outside the viewport, so that the focus is not lost. */
  currentId: string | undefined;
  hearts: Hearts;
  onFailed: () => void;
}

/** Width in CSS pixels below which a date with an unabbreviated month does not fit. */
const NARROW = 170;
/** Number of photos that are probably in the first viewport and therefore load eagerly. */
const EAGER = 8;

/** Stays the same when the row of an outlined photo is loaded. */
export const tileKey = ({ id, rank }: Pick<Photo, "id" | "rank">) => (rank ? `${rank.order}-${rank.place}` : id);

/** Renders the photos of one date below its title. Only photos near the viewport are rendered. */
export function GalleryGroup(props: GalleryGroupProps) {
  const { group, layout, range, use, selected, carried, currentId, hearts, onFailed } = props;
  const { t, i18n } = useTranslation("media");
  const id = useId();
  const title = group.date ? dateHeading(group.date, i18n.language, { short: group.width < NARROW }) : t("undated");
  const { titleHeight, boxes } = layout;
  return (
    <section
      aria-labelledby={titleHeight > 0 ? id : undefined}
      className="absolute print:static print:h-auto! print:w-auto!"
      style={{ left: group.left, top: group.top, width: group.width, height: group.height }}
    >
      {titleHeight > 0 && (
        <h3 id={id} className="truncate text-base text-ink-soft" style={{ height: titleHeight }} title={title}>
          {title}
        </h3>
      )}
      <ul
        className="absolute m-0 list-none p-0 print:static print:flex print:flex-wrap print:gap-2"
        style={{ left: -group.left, top: -group.top }}
      >
        {group.photos.map((photo, index) => {
          const box = group.boxes[index];
          const current = photo.id === currentId;
          if (!box || !(current || isBetween(box, range.from, range.to))) return null;
          const place = group.before + index;
          return (
            <PhotoTile
              key={tileKey(photo)}
              photo={photo}
              place={place + 1}
              count={boxes.length}
              box={box}
              use={use}
              selected={photo.outlined ? undefined : selected?.has(photo.id)}
              carried={carried.has(photo.id)}
              current={current}
              eager={place < EAGER}
              hearts={hearts.counts.get(photo.id) ?? 0}
              loved={hearts.mine.has(photo.id)}
              givable={hearts.toggle !== undefined && !photo.outlined}
              onFailed={onFailed}
            />
          );
        })}
      </ul>
    </section>
  );
}
