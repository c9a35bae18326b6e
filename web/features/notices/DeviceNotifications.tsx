import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queryKeys } from "../../data/query-keys.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { Problem } from "../../ui/Problem.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { toast } from "../../ui/toasts.tsx";
import { type PushState, pushState, turnOffPush, turnOnPush } from "./push-device.ts";

/** Renders the switch of notifications on this device, or why there are none. */
export function DeviceNotifications({ userId }: { userId: string }) {
  const { t } = useTranslation("notices");
  const cache = useQueryClient();
  const queryKey = queryKeys.notices(userId, "device");
  const state = useQuery({ queryKey, queryFn: ({ signal }) => pushState(supabase, signal) });
  const change = useMutation({
    mutationFn: (on: boolean) => (on ? turnOnPush(supabase) : turnOffPush(supabase)),
    onSuccess: (next) => cache.setQueryData<PushState>(queryKey, next),
    onError: () => toast({ title: t("settings.device.failed"), tone: "problem" }),
  });
  if (state.isPending) return <div className="h-28 sm:h-17" />;
  if (state.isLoadingError) return <Problem error={new Error(t("settings.failed"))} retry={state.refetch} />;
  const current = state.data;
  if (current === "on" || current === "off") {
    const isOn = change.isPending ? change.variables : current === "on";
    return (
      <Switch
        label={t("settings.device.label")}
        text={t("settings.device.text")}
        checked={isOn}
        onChange={(on) => change.isPending || change.mutate(on)}
      />
    );
  }
  return (
    <div className="grid">
      <p className="font-semibold">{t("settings.device.label")}</p>
      <p className="text-sm text-ink-soft">{t(`settings.device.${current}`)}</p>
    </div>
  );
}
