import { ArrowLeftRight, BookOpen, RefreshCcw, Unlink } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Photo } from "../../../data/media.queries.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Menu, MenuActions } from "../../../ui/Menu.tsx";
import type { ChangeOfSides } from "./sides.queries.ts";
import { prints, sidesInOrder } from "./sides.ts";

interface SidesMenuProps {
  /** In the order in which they are shown. */
  photos: readonly Photo[];
  onChange: (change: ChangeOfSides) => void;
}

/** Renders the menu that pairs the selected photos as fronts and backs of prints, or swaps or separates those. */
export function SidesMenu({ photos, onChange }: SidesMenuProps) {
  const { t } = useTranslation("gallery");
  const pair = sidesInOrder(photos);
  const fronts = prints(photos);
  if (!pair && !fronts) return null;
  return (
    <Menu trigger={<IconButton icon={RefreshCcw} label={t("sides.tool")} />}>
      <MenuActions
        actions={[
          {
            icon: BookOpen,
            text: t("sides.pair", { count: pair?.fronts.length ?? 0 }),
            onSelect: pair && (() => onChange({ pair })),
          },
          { icon: ArrowLeftRight, text: t("sides.swap"), onSelect: fronts && (() => onChange({ swap: fronts })) },
          { icon: Unlink, text: t("sides.separate"), onSelect: fronts && (() => onChange({ separate: fronts })) },
        ]}
      />
    </Menu>
  );
}
