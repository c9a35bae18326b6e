import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../../data/media.queries.ts";
import { classNames } from "../../../ui/class-names.ts";
import { IconButton } from "../../../ui/IconButton.tsx";

interface LightboxArrowProps {
  side: "left" | "right";
  /** The photo to open; undefined at either end of the list, where the arrow is hidden but keeps its space. */
  to: Photo | undefined;
  onMove: (to: Photo | undefined) => void;
  className: string;
}

export function LightboxArrow({ side, to, onMove, className }: LightboxArrowProps) {
  const { t } = useTranslation("media");
  const Icon = side === "left" ? ChevronLeft : ChevronRight;
  return (
    <IconButton
      label={side === "left" ? t("lightbox.previous") : t("lightbox.next")}
      onClick={() => onMove(to)}
      className={classNames("size-12 bg-black/45 hover:bg-black/75! hover:text-white!", !to && "invisible", className)}
    >
      <Icon aria-hidden className="size-7" />
    </IconButton>
  );
}
