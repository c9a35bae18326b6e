import { ArrowDownUp, CircleCheckBig, Move, Users } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../../data/media.queries.ts";
import { PHOTO_ORDERS, type PhotoOrder } from "../../../data/photo-order.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from "../../../ui/Menu.tsx";
import { PHOTO_FILTERS, type PhotoFilter } from "../filter/photo-filter.ts";

interface GalleryToolsProps {
  order: PhotoOrder;
  onOrder: (order: PhotoOrder) => void;
  filter: PhotoFilter;
  /** The filters to choose from. */
  filters: readonly PhotoFilter[];
  onFilter: (filter: PhotoFilter) => void;
  /** The first photo of each year. */
  years: readonly { year: string; photo: Photo }[];
  onGoTo: (photo: Photo) => void;
  /** Opens the choice of people; undefined if nobody is named on a photo. */
  onPeople: (() => void) | undefined;
  onArrange: (() => void) | undefined;
  onSelect: (() => void) | undefined;
}

/** Renders the choice of order, of what is shown and of a year, and buttons to select or arrange photos. */
export function GalleryTools(props: GalleryToolsProps) {
  const { order, onOrder, filter, filters, onFilter, years, onGoTo, onPeople, onArrange, onSelect } = props;
  const { t } = useTranslation(["gallery", "pictured"]);
  return (
    <>
      <Menu trigger={<IconButton icon={ArrowDownUp} label={t("order.open")} />}>
        <MenuChoice
          label={t("order.label")}
          value={order}
          onChange={(chosen) => onOrder(PHOTO_ORDERS.find((one) => one === chosen) ?? order)}
          options={PHOTO_ORDERS.map((value) => ({ value, label: t(`order.${value}`) }))}
        />
        {filters.length > 0 && (
          <>
            <MenuSeparator />
            <MenuChoice
              label={t("filter.label")}
              value={filter}
              onChange={(chosen) => onFilter(PHOTO_FILTERS.find((one) => one === chosen) ?? filter)}
              options={filters.map((value) => ({ value, label: t(`filter.${value}`) }))}
            />
          </>
        )}
        {onPeople && (
          <>
            <MenuSeparator />
            <MenuItem icon={Users} onSelect={onPeople}>
              {t("pictured:filter.open")}
            </MenuItem>
          </>
        )}
        {years.length > 0 && (
          <>
            <MenuSeparator />
            <MenuLabel>{t("filter.years")}</MenuLabel>
            {years.map(({ year, photo }) => (
              <MenuItem key={year} onSelect={() => onGoTo(photo)}>
                {year}
              </MenuItem>
            ))}
          </>
        )}
      </Menu>
      {onArrange && <IconButton icon={Move} label={t("arrange.start")} onClick={onArrange} />}
      {onSelect && <IconButton icon={CircleCheckBig} label={t("select.start")} onClick={onSelect} />}
    </>
  );
}
