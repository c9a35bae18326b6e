import { ChevronLeft, ChevronRight, Expand, Pause, Play } from "lucide-react";
import { useTranslation } from "react-i18next";
import { canFillScreen } from "../../lib/browser/use-screen.ts";
import { ScreenButtons } from "../../ui/ScreenButtons.tsx";

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
    ...(canFillScreen() ? [{ icon: Expand, label: t("fullScreen"), onClick: onFullScreen }] : []),
  ];
  return <ScreenButtons visible={visible} buttons={buttons} className="top-4 right-4" />;
}
