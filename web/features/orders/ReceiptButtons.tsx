import { useMutation } from "@tanstack/react-query";
import { Download, Printer } from "lucide-react";
import { useTranslation } from "react-i18next";
import { saveFile } from "../../lib/browser/save-file.ts";
import { Button } from "../../ui/Button.tsx";
import type { OrderRow } from "./orders.queries.ts";
import { fetchReceipt } from "./receipt.queries.ts";

/** The receipt as a file, and the page on paper. */
export function ReceiptButtons({ order }: { order: OrderRow }) {
  const { t, i18n } = useTranslation("orders");
  const receipt = useMutation({
    mutationFn: () => fetchReceipt(order.id, i18n.resolvedLanguage ?? "en"),
    onSuccess: (pdf) => saveFile(pdf, `Skies ${order.number}.pdf`),
  });
  return (
    <div className="grid gap-3 print:hidden">
      <div className="flex flex-wrap gap-3">
        <Button
          icon={Download}
          aria-busy={receipt.isPending}
          aria-disabled={receipt.isPending}
          onClick={() => receipt.isPending || receipt.mutate()}
        >
          {t("receipt")}
        </Button>
        <Button icon={Printer} variant="quiet" onClick={() => print()}>
          {t("print")}
        </Button>
      </div>
      {receipt.isError && (
        <p role="alert" className="text-danger-text">
          {t("receiptFailed")}
        </p>
      )}
    </div>
  );
}
