import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { ArrangeLabels } from "../../ui/ArrangeList.tsx";

/** Returns the screen reader texts for reordering albums or memories. */
export function useArrangeLabels(): ArrangeLabels {
  const { t } = useTranslation("albums");
  return useMemo(
    () => ({
      handle: (name) => t("order.move", { name }),
      taken: (name) => t("order.taken", { name }),
      at: (place, count) => t("order.at", { place, count }),
      put: (place, count) => t("order.put", { place, count }),
      returned: t("order.left"),
    }),
    [t],
  );
}
