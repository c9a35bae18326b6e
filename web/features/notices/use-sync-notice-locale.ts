import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { supabase } from "../../lib/request/supabase.ts";
import { settingsQuery, useSaveSettings } from "./notice-settings.queries.ts";

/** Keeps in which zone and language somebody reads, so that their mornings and letters are theirs. */
export function useSyncNoticeLocale(userId: string) {
  const { i18n } = useTranslation();
  const { data } = useQuery(settingsQuery(supabase, userId));
  const { mutate, isPending, isError } = useSaveSettings(supabase, userId);
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const language = i18n.resolvedLanguage === "it" ? "it" : "en";
  const differs = data !== undefined && (data.time_zone !== time_zone || data.language !== language);
  useEffect(() => {
    // What could not be kept is tried again the next time they come, and not without end.
    if (differs && !isPending && !isError) mutate({ time_zone, language });
  }, [differs, isPending, isError, mutate, time_zone, language]);
}
