import type { User } from "@supabase/supabase-js";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { supabase } from "../../../lib/request/supabase.ts";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { Switch } from "../../../ui/Switch.tsx";
import { toast } from "../../../ui/toasts.tsx";
import { emailSettingsQuery, useSetEmailSettings } from "./profile.queries.ts";
import { Section } from "./Section.tsx";

/** The setting for emails that other people cause. Hidden if the person has no email address. */
export function EmailSettings({ user }: { user: User }) {
  const { t } = useTranslation("profile");
  return user.email ? (
    <Section id="wishes" title={t("wishes.title")} text={t("wishes.text")}>
      <EmailPreferenceSwitch email={user.email} />
    </Section>
  ) : null;
}

function EmailPreferenceSwitch({ email }: { email: string }) {
  const { t } = useTranslation("profile");
  const settings = useQuery(emailSettingsQuery(email));
  const set = useSetEmailSettings(email);
  if (settings.isPending) return <Skeleton className="h-11" />;
  if (settings.isLoadingError) return <p role="alert">{t("wishes.failed")}</p>;
  return (
    <Switch
      label={t("wishes.label")}
      text={settings.data ? t("wishes.on") : t("wishes.off")}
      checked={settings.data}
      onChange={(unsubscribed) =>
        set.mutate(unsubscribed, { onError: () => toast({ title: t("failure.notSaved"), tone: "problem" }) })
      }
    />
  );
}

/** Saves the interface language as the language of emails when it changes while the profile is open. */
export function useEmailLanguage(user: User | undefined) {
  const { i18n } = useTranslation();
  const language = i18n.resolvedLanguage;
  const shownLanguage = useRef(language);
  const storedLanguage = user?.user_metadata.language;
  useEffect(() => {
    // The initial language is not saved.
    if (shownLanguage.current === language) return;
    shownLanguage.current = language;
    if (storedLanguage === language) return;
    void supabase.auth.updateUser({ data: { language } }).then(({ error }) => {
      if (error) console.warn("The language of emails could not be saved", error);
    });
  }, [language, storedLanguage]);
}
