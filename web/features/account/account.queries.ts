import { useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import type { Credentials, Registration } from "../../../shared/account.ts";
import { supabase } from "../../lib/supabase.ts";

/** Signs in with email and password; the session then changes by itself. */
export const useSignIn = () =>
  useMutation({
    mutationFn: async (credentials: Credentials) => {
      const { error } = await supabase.auth.signInWithPassword(credentials);
      if (error) throw error;
    },
  });

/** Makes an account and signs in to it; throws where the address has to be confirmed first. */
export const useRegister = () =>
  useMutation({
    mutationFn: async ({ email, password, fullName }: Registration) => {
      // The language of the letters that follow, where it is not the browser's own.
      const options = { data: { full_name: fullName, language: i18next.resolvedLanguage } };
      const { data, error } = await supabase.auth.signUp({ email, password, options });
      if (error) throw error;
      if (!data.session) throw Object.assign(new Error("Email not confirmed"), { code: "email_not_confirmed" });
    },
  });
