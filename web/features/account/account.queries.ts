import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import type { Credentials, Registration } from "../../../shared/account.ts";
import { config } from "../../lib/config.ts";
import { requestAsUser, supabase } from "../../lib/supabase.ts";
import { paths } from "../../paths.ts";
import type { Purpose } from "./purposes.ts";
import type { Captcha } from "./use-bot-check.tsx";

/** What the form's bot check gives for one request. */
interface Checked {
  captcha: Captcha;
}

/** The address that links and other providers lead back to. */
export const returnTo = (purpose: Purpose) => location.origin + paths.authCallback(purpose);

/** Signs in with email and password; the session then changes by itself. */
export const useSignIn = () =>
  useMutation({
    mutationFn: async ({ email, password, captcha }: Credentials & Checked) => {
      const captchaToken = await captcha();
      const { error } = await supabase.auth.signInWithPassword({ email, password, options: { captchaToken } });
      if (error) throw error;
    },
  });

/** Makes an account. Resolves to whether it has a session already, or an address to confirm first. */
export const useRegister = () =>
  useMutation({
    mutationFn: async ({ email, password, fullName, captcha }: Registration & Checked) => {
      const captchaToken = await captcha();
      const { data, error } = await supabase.auth.signUp({
        email,
        password,
        options: {
          // The language of the letters that follow, where it is not the browser's own.
          data: { full_name: fullName, language: i18next.resolvedLanguage },
          emailRedirectTo: returnTo("signup"),
          captchaToken,
        },
      });
      if (error) throw error;
      return { email, confirmed: data.session !== null };
    },
  });

export type MailPurpose = "signup" | "link" | "recovery";

/** Sends a message with a link and a code. Resolves alike whether there is an account with that address or not. */
export const useSendMail = (purpose: MailPurpose) =>
  useMutation({
    mutationFn: async ({ email, captcha }: { email: string } & Checked) => {
      const { error } = await senders[purpose](email, await captcha());
      if (error) throw error;
      return email;
    },
  });

type Sender = (email: string, captchaToken?: string) => Promise<{ error: Error | null }>;

const senders: Record<MailPurpose, Sender> = {
  signup: (email, captchaToken) =>
    supabase.auth.resend({ type: "signup", email, options: { emailRedirectTo: returnTo("signup"), captchaToken } }),
  link: (email, captchaToken) =>
    supabase.auth.signInWithOtp({
      email,
      // A new account is made where its terms are shown, not by a slip of the finger in an address.
      options: { emailRedirectTo: returnTo("link"), shouldCreateUser: false, captchaToken },
    }),
  recovery: (email, captchaToken) =>
    supabase.auth.resetPasswordForEmail(email, { redirectTo: returnTo("recovery"), captchaToken }),
};

/** Signs in by the code of a mailed message, wherever that was opened. */
export const useMailedCode = (purpose: MailPurpose) =>
  useMutation({
    mutationFn: async ({ email, code }: { email: string; code: string }) => {
      // To an address that has an account already, a sign-up sends a way in to it: "email" takes the code of either.
      const type = purpose === "recovery" ? "recovery" : "email";
      const { error } = await supabase.auth.verifyOtp({ email, token: code, type });
      if (error) throw error;
    },
  });

/** Chooses a new password for whoever is signed in; `nonce` is a mailed code, for a session that is no longer fresh. */
export const useChoosePassword = () =>
  useMutation({
    mutationFn: async ({ password, nonce }: { password: string; nonce?: string }) => {
      const { error } = await supabase.auth.updateUser({ password, nonce });
      if (error) throw error;
    },
  });

/** The providers that people of this product know. */
export const PROVIDERS = { google: "Google", facebook: "Facebook", apple: "Apple" } as const;
export type Provider = keyof typeof PROVIDERS;

/** The other providers with which this deployment lets people sign in. */
export const providersQuery = queryOptions({
  queryKey: ["providers"],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async (): Promise<Provider[]> => {
    const { supabaseUrl, supabaseAnonKey } = config();
    const reply = await requestAsUser(`${supabaseUrl}/auth/v1/settings`, { headers: { apikey: supabaseAnonKey } });
    if (!reply.ok) throw new Error(`/auth/v1/settings: ${reply.status}`);
    const { external = {} } = (await reply.json()) as { external?: Record<string, boolean> };
    return (Object.keys(PROVIDERS) as Provider[]).filter((provider) => external[provider]);
  },
});

/** Goes to a provider to sign in there; the browser leaves this page. */
export const useProviderSignIn = () =>
  useMutation({
    mutationFn: async (provider: Provider) => {
      const { error } = await supabase.auth.signInWithOAuth({ provider, options: { redirectTo: returnTo("social") } });
      if (error) throw error;
    },
  });

/** Opens the session that a code stands for, in the browser that asked for it. A code is good for one try. */
export const exchangeQuery = (code: string) =>
  queryOptions({
    queryKey: ["auth code", code],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const { error } = await supabase.auth.exchangeCodeForSession(code);
      if (!error) return "done";
      // What the link has changed is changed, whichever browser followed it: who is signed in here is to see it.
      if ((await supabase.auth.getSession()).data.session) await supabase.auth.refreshSession();
      throw error;
    },
  });
