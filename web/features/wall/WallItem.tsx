import { useEffect, useRef } from "react";
import type { WallPicture, WallWords } from "../../data/wall.queries.ts";
import { useLatest } from "../../lib/browser/use-latest.ts";
import { playableUrl, type RenditionWidth, renditionUrl } from "../../lib/request/rendition-url.ts";
import { classNames } from "../../ui/class-names.ts";
import { WallNote } from "./WallNote.tsx";

/** An item with its signed URLs, once they are known. */
export interface FoundItem {
  picture: WallPicture | undefined;
  comment: WallWords | undefined;
  urls: { picture: string | undefined; url: string | undefined } | undefined;
}

interface ItemProps {
  item: FoundItem;
  width: RenditionWidth;
  /** Whether it fills the screen. */
  large?: boolean;
  sound: boolean;
  onLoaded?: () => void;
}

/** A picture with its caption and the name of who added it, a video that plays, or a comment. */
export function WallItem({ item: { picture, comment, urls }, width, large = false, sound, onLoaded }: ItemProps) {
  const loaded = useLatest(onLoaded);
  const id = comment?.id;
  useEffect(() => {
    if (id) loaded.current?.();
  }, [id]);
  if (comment) return <WallNote comment={comment} large={large} />;
  if (!picture) return null;
  const src = urls?.picture && renditionUrl(urls.picture, width);
  const film = picture.type === "video" && urls?.url ? filmUrl(picture, urls.url) : undefined;
  const fit = classNames("absolute inset-0 size-full", large ? "object-contain" : "object-cover");
  return (
    <figure className="absolute inset-0 m-0" style={large ? undefined : { background: picture.colour ?? undefined }}>
      {film ? (
        <Film key={film} src={film} poster={src} className={fit} sound={sound} onLoaded={onLoaded} />
      ) : (
        src && (
          <img
            src={src}
            alt={picture.alt_text || picture.caption}
            className={classNames(fit, "animate-appear motion-reduce:animate-none")}
            onLoad={onLoaded}
          />
        )
      )}
      {(picture.credit || picture.caption) && <Caption picture={picture} large={large} />}
    </figure>
  );
}

function Caption({ picture: { caption, credit }, large }: { picture: WallPicture; large: boolean }) {
  return (
    <figcaption
      className={classNames(
        "absolute bottom-3 left-3 max-w-[min(90%,60rem)] rounded-2xl bg-black/65 px-4 py-2 text-white",
        large ? "text-[clamp(1rem,2.2vmin,1.75rem)]" : "text-[clamp(0.875rem,1.6vmin,1.25rem)]",
      )}
    >
      {caption && (
        <span dir="auto" className="line-clamp-2">
          {caption}
        </span>
      )}
      {credit && (
        <span dir="auto" className="block truncate opacity-90">
          {credit.name}
        </span>
      )}
    </figcaption>
  );
}

/** The copy that every browser plays, or the original if it does; undefined while there is none. */
const filmUrl = ({ playback }: WallPicture, url: string) =>
  playback === "ready" ? playableUrl(url) : playback === "unneeded" ? url : undefined;

interface FilmProps {
  src: string;
  poster: string | undefined;
  className: string;
  sound: boolean;
  onLoaded: (() => void) | undefined;
}

/** A video that plays by itself. Its memory is freed when it leaves. */
function Film({ src, poster, className, sound, onLoaded }: FilmProps) {
  const player = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const element = player.current;
    return () => {
      if (!element) return;
      element.pause();
      element.removeAttribute("src");
      element.load();
    };
  }, []);
  useEffect(() => {
    const element = player.current;
    if (!element) return;
    element.muted = !sound;
    // Browsers play sound only after somebody has touched the page.
    element.play().catch(() => {
      element.muted = true;
      element.play().catch(() => {});
    });
  }, [sound]);
  return (
    <video
      ref={player}
      src={src}
      poster={poster}
      muted
      playsInline
      loop
      disablePictureInPicture
      className={className}
      onLoadedData={onLoaded}
      onError={onLoaded}
    >
      <track kind="captions" />
    </video>
  );
}
