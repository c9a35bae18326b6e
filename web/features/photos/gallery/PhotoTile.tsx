import { CircleDot, FileText, FileWarning, ImageOff, Play } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Photo } from "../../../data/media.queries.ts";
import { writtenDuration } from "../../../lib/formatting/duration.ts";
import { renditionSrcSet, renditionUrl } from "../../../lib/request/rendition-url.ts";
import { Picture } from "../../../media/Picture.tsx";
import { tileId, usePhotoText } from "../../../media/photo-text.ts";
import { SoundFace } from "../../../media/SoundFace.tsx";
import { useKnownMediaUrls } from "../../../media/use-media-urls.ts";
import { FROM_GALLERY, photoSearch } from "../../../media/use-photo-route.ts";
import { classNames } from "../../../ui/class-names.ts";
import type { Box } from "./justified-layout.ts";
import { TileHeart } from "./TileHeart.tsx";

/** The gallery's mode: opening, selecting or arranging. */
export type TileUse = "open" | "select" | "arrange";

interface PhotoTileProps {
  photo: Photo;
  /** Position among all photos, from 1, and their number. ARIA needs both, because most photos are not rendered. */
  place: number;
  count: number;
  box: Box;
  use: TileUse;
  /** Undefined if nothing can be selected. */
  selected: boolean | undefined;
  /** Whether the photo is being dragged. */
  carried: boolean;
  /** Whether this is the only tile in the tab order. Arrow keys move the focus to the other tiles. */
  current: boolean;
  eager: boolean;
  /** The number of the photo's hearts, whether one is the reader's, and whether the reader may give one. */
  hearts: number;
  loved: boolean;
  givable: boolean;
  onFailed: () => void;
}

const BY_MOUSE = matchMedia("(hover: hover) and (pointer: fine)").matches;

const CHECK =
  "absolute top-0 left-0 grid size-11 cursor-pointer place-content-center rounded-full before:grid before:size-6 before:place-content-center before:rounded-full before:border-2 before:border-white before:shadow-soft before:content-[''] after:absolute after:top-4 after:left-[1.13rem] after:h-2 after:w-3.5 after:-rotate-45 after:border-b-2 after:border-l-2 after:border-night after:content-['']";

/** Renders a photo at its position. The gallery handles the events of all tiles. */
export const PhotoTile = memo(function PhotoTile(props: PhotoTileProps) {
  const { photo, place, count, box, use, selected, carried, current, eager, hearts, loved, givable, onFailed } = props;
  const { t } = useTranslation(["gallery", "media"]);
  const text = usePhotoText()(photo);
  const { picture, placeholder } = useKnownMediaUrls(photo);
  const marks = [photo.motion === "ready" && t("live.mark"), photo.damaged && t("damaged")].filter(Boolean);
  // A video's poster can be shown as soon as it has a URL. Before, the tile shows only the video's colour.
  const ready = (photo.state === "ready" || photo.type === "video") && picture;
  return (
    <li
      data-photo={photo.id}
      aria-posinset={place}
      aria-setsize={count}
      className={classNames(
        "group/tile absolute select-none print:static print:max-w-[48%] print:break-inside-avoid",
        carried && "opacity-40",
      )}
      style={box}
    >
      <Link
        id={tileId(photo.id)}
        to={{ search: photoSearch(photo.id) }}
        state={FROM_GALLERY}
        preventScrollReset
        // A mouse can drag the photo into a story. By touch, a long press selects instead.
        draggable={use === "open" && BY_MOUSE && !photo.outlined}
        tabIndex={current ? 0 : -1}
        aria-label={t(`tile.${use}`, { photo: [text, ...marks].join(", ") })}
        aria-roledescription={use === "arrange" ? t("arrange.movable") : undefined}
        className={classNames(
          "block size-full overflow-hidden rounded-md transition-[scale] duration-150 ease-out [-webkit-touch-callout:none]",
          selected && "scale-92 outline-3 outline-offset-2 outline-deep",
          use === "arrange" && "cursor-grab",
        )}
      >
        <Picture
          photo={{ colour: photo.colour, placeholder }}
          src={ready ? renditionUrl(picture, 640) : undefined}
          srcSet={ready ? renditionSrcSet(picture, photo.width) : undefined}
          sizes={`${box.width}px`}
          alt=""
          eager={eager}
          onFailed={onFailed}
          className="size-full"
        >
          {photo.state === "waiting" && photo.type === "image" && (
            <span className="absolute inset-0 grid place-content-center bg-line p-2 text-center text-sm text-ink-soft motion-safe:animate-breathe">
              {t("media:waiting")}
            </span>
          )}
          {photo.state === "broken" && (
            <span className="absolute inset-0 grid place-content-center justify-items-center gap-1 bg-sunken p-2 text-center text-sm text-ink-soft">
              <ImageOff aria-hidden className="size-6" />
              <span dir="auto" className="line-clamp-2 break-all">
                {photo.file_name}
              </span>
            </span>
          )}
          {photo.damaged && <DamagedMark />}
          {photo.motion === "ready" && <LiveMark />}
          {photo.pages && photo.state === "ready" && <PaperMark pages={photo.pages} />}
          {photo.type === "audio" && photo.state !== "broken" && (
            <SoundFace photo={photo} name={photo.caption || photo.file_name} />
          )}
          {photo.type === "video" && photo.state !== "broken" && <VideoMark duration={photo.duration} />}
        </Picture>
      </Link>
      {use === "open" && <TileHeart photo={text} count={hearts} mine={loved} givable={givable} current={current} />}
      {selected !== undefined && (
        // biome-ignore lint/a11y/useSemanticElements: one element less for each of many tiles, and Shift is heard
        <button
          type="button"
          role="checkbox"
          aria-checked={selected}
          aria-label={t("select.one", { photo: text })}
          tabIndex={current ? 0 : -1}
          className={classNames(
            CHECK,
            selected
              ? "before:border-teal! before:bg-teal"
              : "before:bg-black/35 after:opacity-0 hover:after:border-white hover:after:opacity-100",
            // For mouse and keyboard, the checkboxes appear on hover and focus. Touch selects by a long press.
            use === "open" &&
              "opacity-0 group-hover/tile:opacity-100 focus-visible:opacity-100 [@media(hover:none)]:hidden",
          )}
        />
      )}
    </li>
  );
});

/** Renders the mark of a live photo, i.e. a photo with a short video. */
const LiveMark = () => (
  <span
    aria-hidden
    className="pointer-events-none absolute right-1.5 bottom-1.5 grid size-6 place-content-center rounded-full bg-black/55 text-white"
  >
    <CircleDot className="size-4" />
  </span>
);

/** Renders the mark of a paper: its number of pages, if it has several. */
const PaperMark = ({ pages }: { pages: number }) => (
  <span
    aria-hidden
    className="pointer-events-none absolute right-1.5 bottom-1.5 flex items-center gap-1 rounded-md bg-black/65 px-1.5 py-0.5 text-sm leading-tight text-white tabular-nums"
  >
    <FileText className="size-4" />
    {pages > 1 && pages}
  </span>
);

/** Renders the mark of a photo with missing image data. */
function DamagedMark() {
  const { t } = useTranslation("gallery");
  return (
    <span
      title={t("damaged")}
      className="absolute top-2 right-2 grid size-6 place-content-center rounded-full bg-black/55 text-white"
    >
      <FileWarning aria-hidden className="size-4" />
    </span>
  );
}

/** Renders a video tile's play icon and, if known, its duration. */
function VideoMark({ duration }: { duration: number | null }) {
  return (
    <span aria-hidden className="pointer-events-none absolute inset-0">
      <span className="absolute inset-0 m-auto grid size-12 place-content-center rounded-full bg-black/55 text-white">
        <Play className="size-6 translate-x-0.5 fill-current" />
      </span>
      {duration !== null && (
        <span className="absolute right-1.5 bottom-1.5 rounded-md bg-black/65 px-1.5 py-0.5 text-sm leading-tight text-white tabular-nums">
          {writtenDuration(duration)}
        </span>
      )}
    </span>
  );
}
