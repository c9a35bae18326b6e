import { useTranslation } from "react-i18next";
import { requestAsUser, supabase } from "../../../lib/request/supabase.ts";
import { toast } from "../../../ui/toasts.tsx";
import { type ShareLink, useSetSecret } from "./links.queries.ts";

/** Returns a mutation that sets or removes a link's PIN or passphrase, and confirms it in a toast. */
export function useSaveSecret(link: ShareLink, onSaved: () => void) {
  const { t } = useTranslation("sharing");
  const set = useSetSecret(supabase, link, requestAsUser);
  const save = (secret: { pin: string | null } | { passphrase: string }) => {
    if (set.isPending) return;
    const removesPin = "pin" in secret && secret.pin === null;
    const kind = removesPin ? (link.asks ?? "pin") : "passphrase" in secret ? "passphrase" : "pin";
    const title = t(`${kind}.${removesPin ? "wasRemoved" : link.asks === kind ? "wasUpdated" : "wasSet"}`);
    set.mutate(secret, {
      onSuccess: () => {
        onSaved();
        toast({ title, tone: "success" });
      },
    });
  };
  return { save, isPending: set.isPending, isError: set.isError, reset: set.reset };
}
