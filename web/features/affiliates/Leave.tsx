import { useTranslation } from "react-i18next";
import { supabase } from "../../lib/request/supabase.ts";
import { Button } from "../../ui/Button.tsx";
import { toast } from "../../ui/toasts.tsx";
import { useAffiliateState } from "./affiliates.queries.ts";
import { Section } from "./Section.tsx";

/** The way out, with a way back. Who is paused can only be let in again by an administrator, and so does not leave here. */
export function Leave({ userId, paused }: { userId: string; paused: boolean }) {
  const { t } = useTranslation("affiliates");
  const change = useAffiliateState(supabase, userId);
  const failed = () => toast({ title: t("leave.failed"), tone: "problem" });
  const leave = () =>
    change.mutate("left", {
      onSuccess: () =>
        toast({
          title: t("leave.done"),
          action: { label: t("leave.undo"), onSelect: () => change.mutate("active", { onError: failed }) },
        }),
      onError: failed,
    });
  if (paused) return null;
  return (
    <Section title={t("leave.title")} text={t("leave.text")}>
      <Button variant="quiet" className="justify-self-start" aria-disabled={change.isPending} onClick={leave}>
        {t("leave.button")}
      </Button>
    </Section>
  );
}

/** For who has left: what that means, and the way back. */
export function Left({ userId }: { userId: string }) {
  const { t } = useTranslation("affiliates");
  const change = useAffiliateState(supabase, userId);
  return (
    <Section title={t("left.title")} text={t("left.text")}>
      <Button
        className="justify-self-start"
        aria-disabled={change.isPending}
        onClick={() => change.mutate("active", { onError: () => toast({ title: t("leave.failed"), tone: "problem" }) })}
      >
        {t("left.back")}
      </Button>
    </Section>
  );
}
