import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { addToCart } from "../../data/cart.queries.ts";
import { rememberPendingItems, takePendingItems } from "../../data/pending-cart.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { toast } from "../../ui/toasts.tsx";

/** Puts in what somebody chose before they signed in; where that fails it is kept, and can be tried again. */
export function useAddPendingItems(userId: string, refetch: () => unknown) {
  const { t } = useTranslation(["cart", "common"]);
  useEffect(() => {
    const put = async () => {
      const wanted = takePendingItems();
      if (wanted.length === 0) return;
      try {
        await addToCart(supabase, userId, wanted);
        await refetch();
      } catch {
        rememberPendingItems(wanted);
        toast({
          title: t("wantedFailed"),
          description: t("wantedKept"),
          tone: "problem",
          action: { label: t("common:problem.retry"), onSelect: () => void put() },
        });
      }
    };
    void put();
  }, [userId, refetch, t]);
}
