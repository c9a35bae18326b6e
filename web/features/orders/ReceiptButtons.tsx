import { useMutation } from "@tanstack/react-query";
import { Download, Printer } from "lucide-react";
import { useTranslation } from "react-i18next";
import { config } from "../../lib/browser/config.ts";
import { saveFile } from "../../lib/browser/save-file.ts";
import { requestAsUser, supabase } from "../../lib/request/supabase.ts";
import { Button } from "../../ui/Button.tsx";
import type { OrderRow } from "./orders.queries.ts";

/** Renders the buttons to download and print the receipt. */
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

/** Downloads an order's receipt as a PDF file in a language. */
async function fetchReceipt(order: string, language: string): Promise<Blob> {
  const { supabaseUrl, supabaseAnonKey } = config();
  const { data } = await supabase.auth.getSession();
  const reply = await requestAsUser(`${supabaseUrl}/functions/v1/order-receipt`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      apikey: supabaseAnonKey,
      authorization: `Bearer ${data.session?.access_token ?? supabaseAnonKey}`,
    },
    body: JSON.stringify({ order, language, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
  });
  if (!reply.ok) throw new Error("Failed to load the receipt");
  return reply.blob();
}
