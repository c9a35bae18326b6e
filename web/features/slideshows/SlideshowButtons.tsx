import { ChevronLeft, ChevronRight, Expand, Pause, Play, Volume2, VolumeX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { canFillScreen } from "../../lib/browser/use-screen.ts";
import { classNames } from "../../ui/class-names.ts";

interface ButtonsProps {
  visible: boolean;
  /** The place of the photo, from 1, and their number. */
  place: number;
  count: number;
  playing: boolean;
  onToggle: () => void;
  onMove: (by: number) => void;
  /** Absent without music. */
  music: { muted: boolean; onMute: () => void } | undefined;
  onFullScreen: () => void;
}

/** The buttons of a slideshow, shown while somebody is at it. */
export function SlideshowButtons({ visible, place, count, playing, onToggle, onMove, music, ...props }: ButtonsProps) {
  const { t } = useTranslation("slideshows");
  const buttons = [
    { icon: ChevronLeft, label: t("player.previous"), onClick: () => onMove(-1) },
    { icon: playing ? Pause : Play, label: playing ? t("player.pause") : t("player.play"), onClick: onToggle },
    { icon: ChevronRight, label: t("player.next"), onClick: () => onMove(1) },
    ...(music
      ? [
          {
            icon: music.muted ? VolumeX : Volume2,
            label: music.muted ? t("player.unmute") : t("player.mute"),
            onClick: music.onMute,
          },
        ]
      : []),
    ...(canFillScreen() ? [{ icon: Expand, label: t("player.fullScreen"), onClick: props.onFullScreen }] : []),
  ];
  return (
    <div
      className={classNames(
        "absolute top-[max(0.75rem,env(safe-area-inset-top))] left-3 flex items-center gap-0.5 rounded-full bg-black/65 p-1 pe-4 transition-opacity duration-200 focus-within:opacity-100 motion-reduce:transition-none",
        visible ? "opacity-100" : "opacity-0",
      )}
    >
      {buttons.map(({ icon: Icon, label, onClick }) => (
        <button
          key={label}
          type="button"
          aria-label={label}
          onClick={onClick}
          className="grid size-11 cursor-pointer place-content-center rounded-full hover:bg-white/20 focus-visible:outline-3 focus-visible:outline-white"
        >
          <Icon aria-hidden className="size-6" />
        </button>
      ))}
      <span className="ps-1 text-sm tabular-nums">{t("player.place", { place, count })}</span>
    </div>
  );
}
