import type { User } from "@supabase/supabase-js";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { supabase } from "../../../lib/request/supabase.ts";

/** Has emails come in the language that is chosen while the profile is open. */
export function useEmailLanguage(user: User | undefined) {
  const { i18n } = useTranslation();
  const language = i18n.resolvedLanguage;
  const shown = useRef(language);
  const known = user?.user_metadata.language;
  useEffect(() => {
    // Only a choice counts, not the language in which the page happens to open.
    if (shown.current === language) return;
    shown.current = language;
    if (known === language) return;
    void supabase.auth.updateUser({ data: { language } }).then(({ error }) => {
      if (error) console.warn("The language of letters could not be saved", error);
    });
  }, [language, known]);
}
