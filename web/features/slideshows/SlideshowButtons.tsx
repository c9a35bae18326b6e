import { ChevronLeft, ChevronRight, Expand, Pause, Play, Volume2, VolumeX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { canFillScreen } from "../../lib/browser/use-screen.ts";
import { ScreenButtons } from "../../ui/ScreenButtons.tsx";

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
    <ScreenButtons
      visible={visible}
      buttons={buttons}
      className="top-[max(0.75rem,env(safe-area-inset-top))] left-3 pe-4"
    >
      <span className="ps-1 text-sm tabular-nums">{t("player.place", { place, count })}</span>
    </ScreenButtons>
  );
}
