import { ChevronLeft, ChevronRight, Expand, Pause, Play } from "lucide-react";
import { useTranslation } from "react-i18next";
import { classNames } from "../../ui/class-names.ts";

interface WallButtonsProps {
  visible: boolean;
  isHeld: boolean;
  onHold: () => void;
  onMove: (by: number) => void;
  onFullScreen: () => void;
}

/** The buttons of this screen, shown while somebody is at it. */
export function WallButtons({ visible, isHeld, onHold, onMove, onFullScreen }: WallButtonsProps) {
  const { t } = useTranslation("wall");
  const buttons = [
    { icon: ChevronLeft, label: t("previous"), onClick: () => onMove(-1) },
    { icon: isHeld ? Play : Pause, label: t(isHeld ? "play" : "pause"), onClick: onHold },
    { icon: ChevronRight, label: t("next"), onClick: () => onMove(1) },
    { icon: Expand, label: t("fullScreen"), onClick: onFullScreen },
  ];
  return (
    <div
      className={classNames(
        "absolute top-4 right-4 flex gap-1 rounded-full bg-black/65 p-1 text-white transition-opacity duration-200 motion-reduce:transition-none",
        visible ? "opacity-100" : "opacity-0",
      )}
    >
      {buttons.map(({ icon: Icon, label, onClick }) => (
        <button
          key={label}
          type="button"
          aria-label={label}
          onClick={onClick}
          className="grid size-12 cursor-pointer place-content-center rounded-full hover:bg-white/20 focus-visible:outline-3 focus-visible:outline-white"
        >
          <Icon aria-hidden className="size-6" />
        </button>
      ))}
    </div>
  );
}
