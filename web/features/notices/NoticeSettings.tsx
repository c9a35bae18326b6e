import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { supabase } from "../../lib/request/supabase.ts";
import { useUser } from "../../lib/session/session.ts";
import { Problem } from "../../ui/Problem.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { toast } from "../../ui/toasts.tsx";
import { CadenceChoice } from "./CadenceChoice.tsx";
import { DeviceNotifications } from "./DeviceNotifications.tsx";
import { type Settings, settingsQuery, useSaveSettings } from "./notice-settings.queries.ts";
import { PauseField } from "./PauseField.tsx";

/** Renders the profile's notification settings, which apply to all of the person's memories. */
export default function NoticeSettings() {
  const { t } = useTranslation("notices");
  const { id } = useUser();
  const { hash } = useLocation();
  const settings = useQuery(settingsQuery(supabase, id));
  const save = useSaveSettings(supabase, id);
  const keep = (change: Partial<Settings>) =>
    save.mutate(change, { onError: () => toast({ title: t("settings.notSaved"), tone: "problem" }) });
  useEffect(() => {
    if (hash === "#notices") document.getElementById("notices")?.scrollIntoView();
  }, [hash]);
  if (settings.isPending) return <Skeleton className="h-217 sm:h-189" />;
  if (settings.isLoadingError) return <Problem error={new Error(t("settings.failed"))} retry={settings.refetch} />;
  return (
    <>
      <DeviceNotifications userId={id} />
      <CadenceChoice
        value={settings.data.mail}
        onChange={(mail) => keep({ mail })}
        usual={t("settings.mail.usual")}
        text={t("settings.mail.usualText", { zone: settings.data.time_zone?.replaceAll("_", " ") ?? "UTC" })}
      />
      <PauseField
        until={settings.data.paused_until}
        onChange={(paused_until) => keep({ paused_until })}
        text={t("settings.pause.text")}
      />
    </>
  );
}
