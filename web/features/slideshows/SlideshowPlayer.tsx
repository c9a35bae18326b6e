import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../data/media.queries.ts";
import type { Slideshow } from "../../data/slideshows.queries.ts";
import { useAttended, useFullScreen } from "../../lib/browser/use-screen.ts";
import { playableUrl } from "../../lib/request/rendition-url.ts";
import { useMediaUrls } from "../../media/use-media-urls.ts";
import { classNames } from "../../ui/class-names.ts";
import { SlideshowButtons } from "./SlideshowButtons.tsx";
import { SlideshowStage } from "./SlideshowStage.tsx";
import { usePlaying } from "./use-playing.ts";

interface SlideshowPlayerProps {
  slideshow: Slideshow;
  /** Its photos that are shown now, in their order. */
  photos: readonly Photo[];
  music: Photo | undefined;
  onClose: () => void;
}

/** The pixels of a swipe. */
const SWIPE = 40;

/** Plays a slideshow over the whole screen, with the keyboard, by swipes and by itself. */
export default function SlideshowPlayer({ slideshow, photos, music, onClose }: SlideshowPlayerProps) {
  const { t } = useTranslation("slideshows");
  const { photo, index, following, playing, toggle, go, onLoaded } = usePlaying({ photos, pace: slideshow.pace });
  const [opener] = useState(() => document.activeElement);
  const [muted, setMuted] = useState(false);
  const attended = useAttended();
  const toggleFullScreen = useFullScreen(onClose);
  const swipe = useRef<{ x: number; y: number }>(undefined);
  const move = (by: number) => go(index + by);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: photos.length - 1 }[event.key];
    if (to !== undefined) go(to);
    else if (event.key === "m") setMuted(!muted);
    else if (event.key === "f") toggleFullScreen();
    else if (event.key === " " && !(event.target instanceof HTMLButtonElement)) toggle();
    else return;
    event.preventDefault();
  };
  const onPointerUp = ({ clientX, clientY }: PointerEvent) => {
    const from = swipe.current;
    swipe.current = undefined;
    if (!from) return;
    const [x, y] = [clientX - from.x, clientY - from.y];
    if (Math.abs(x) > SWIPE && Math.abs(x) > Math.abs(y)) move(x > 0 ? -1 : 1);
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            (event.target as HTMLElement).focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener instanceof HTMLElement) opener.focus();
          }}
          className={classNames(
            "fixed inset-0 z-50 h-dvh overflow-hidden bg-black text-white outline-none",
            playing && !attended && "cursor-none",
          )}
        >
          <Dialog.Title dir="auto" className="sr-only">
            {slideshow.title}
          </Dialog.Title>
          <div
            className="absolute inset-0 touch-pan-y select-none"
            onPointerDown={({ clientX: x, clientY: y }) => {
              swipe.current = { x, y };
            }}
            onPointerUp={onPointerUp}
            onPointerCancel={() => {
              swipe.current = undefined;
            }}
          >
            {photo ? (
              <SlideshowStage
                photos={photos}
                photo={photo}
                following={following}
                showsCaptions={slideshow.shows_captions}
                onLoaded={onLoaded}
              />
            ) : (
              <p role="status" className="grid h-full place-content-center p-8 text-center">
                {t("player.nothing")}
              </p>
            )}
          </div>
          <SlideshowButtons
            visible={attended || !playing}
            place={photos.length === 0 ? 0 : index + 1}
            count={photos.length}
            playing={playing}
            onToggle={toggle}
            onMove={move}
            music={music && { muted, onMute: () => setMuted(!muted) }}
            onFullScreen={toggleFullScreen}
          />
          <Dialog.Close
            aria-label={t("player.close")}
            className={classNames(
              "absolute top-[max(0.75rem,env(safe-area-inset-top))] right-3 grid size-13 cursor-pointer place-content-center rounded-full bg-black/65 transition-opacity duration-200 hover:bg-white/20 focus-visible:opacity-100 focus-visible:outline-3 focus-visible:outline-white motion-reduce:transition-none",
              attended || !playing ? "opacity-100" : "opacity-0",
            )}
          >
            <X aria-hidden className="size-6" />
          </Dialog.Close>
          {music && <Music key={music.id} recording={music} playing={playing} muted={muted} />}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Plays the music again and again. */
function Music({ recording, playing, muted }: { recording: Photo; playing: boolean; muted: boolean }) {
  const { url } = useMediaUrls(recording);
  const player = useRef<HTMLAudioElement>(null);
  const src = url && (recording.playback === "ready" ? playableUrl(url) : url);
  // A renewed URL does not start the music again.
  const [first, setFirst] = useState<string>();
  if (src && !first) setFirst(src);
  useEffect(() => {
    if (!first) return;
    if (playing) player.current?.play().catch(() => {});
    else player.current?.pause();
  }, [playing, first]);
  return <audio ref={player} src={first} loop muted={muted} preload="auto" />;
}
