import { ArrowDownUp, CircleCheckBig, Move } from "lucide-react";
import { useTranslation } from "react-i18next";
import { PHOTO_ORDERS, type PhotoOrder } from "../../data/photo-order.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { Menu, MenuChoice } from "../../ui/Menu.tsx";
import type { TileUse } from "./gallery/PhotoTile.tsx";

interface GalleryToolsProps {
  use: TileUse;
  order: PhotoOrder;
  onOrder: (order: PhotoOrder) => void;
  onArrange: (() => void) | undefined;
  onSelect: (() => void) | undefined;
}

/** How the gallery is ordered, and the ways to choose among its photos or to arrange them. */
export function GalleryTools({ use, order, onOrder, onArrange, onSelect }: GalleryToolsProps) {
  const { t } = useTranslation("gallery");
  if (use !== "open") return null;
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t("order.label")}>
            <ArrowDownUp aria-hidden className="size-5" />
          </IconButton>
        }
      >
        <MenuChoice
          label={t("order.label")}
          value={order}
          onChange={(chosen) => onOrder(PHOTO_ORDERS.find((one) => one === chosen) ?? order)}
          options={PHOTO_ORDERS.map((value) => ({ value, label: t(`order.${value}`) }))}
        />
      </Menu>
      {onArrange && (
        <IconButton label={t("arrange.start")} onClick={onArrange}>
          <Move aria-hidden className="size-5" />
        </IconButton>
      )}
      {onSelect && (
        <IconButton label={t("select.start")} onClick={onSelect}>
          <CircleCheckBig aria-hidden className="size-5" />
        </IconButton>
      )}
    </>
  );
}
