import type { User } from "@supabase/supabase-js";
import { queryOptions, useMutation } from "@tanstack/react-query";
import type { Credentials, Registration } from "../../../shared/account.ts";
import type { Captcha } from "../../actions/bot-check/use-bot-check.tsx";
import { queryKeys } from "../../data/query-keys.ts";
import { i18n } from "../../i18n/translate.ts";
import { track } from "../../lib/browser/analytics.ts";
import { config } from "../../lib/browser/config.ts";
import { requestAsUser, supabase } from "../../lib/request/supabase.ts";
import { paths } from "../../paths.ts";
import type { Purpose } from "./purposes.ts";
import { replacingSession } from "./replacing-session.ts";

/** The bot check's token for one request. */
interface Checked {
  captcha: Captcha;
}

/** The redirect URL of links and providers. */
export const returnTo = (purpose: Purpose) => location.origin + paths.authCallback(purpose);

/** Signs in with email and password. After success, the client updates the session state. */
export const useSignIn = () =>
  useMutation({
    mutationFn: async ({ email, password, captcha }: Credentials & Checked) => {
      const captchaToken = await captcha();
      const { error } = await supabase.auth.signInWithPassword({ email, password, options: { captchaToken } });
      if (error) throw error;
    },
  });

/** Creates an account. Resolves to its address, and to whether it has a session or must be confirmed first. */
export const useRegister = () =>
  useMutation({
    mutationFn: async ({ email, password, fullName, captcha }: Registration & Checked) => {
      const captchaToken = await captcha();
      const { data, error } = await supabase.auth.signUp({
        email,
        password,
        options: {
          // The language of later emails; it may differ from the browser's.
          data: { full_name: fullName, language: i18n.resolvedLanguage },
          emailRedirectTo: returnTo("signup"),
          captchaToken,
        },
      });
      if (error) throw error;
      track({ name: "sign_up", method: "email" });
      return { email, confirmed: data.session !== null };
    },
  });

export type MailPurpose = "signup" | "link" | "recovery";

/** Sends a message with a link and a code. The result is the same whether the address has an account or not. */
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
      // A typing mistake in an address must not create an account, and the form does not show the terms.
      options: { emailRedirectTo: returnTo("link"), shouldCreateUser: false, captchaToken },
    }),
  recovery: (email, captchaToken) =>
    supabase.auth.resetPasswordForEmail(email, { redirectTo: returnTo("recovery"), captchaToken }),
};

/** Signs in by an emailed code. */
export const useMailedCode = (purpose: MailPurpose) =>
  useMutation({
    mutationFn: async ({ email, code }: { email: string; code: string }) => {
      // A sign-up with an existing address sends a sign-in link; the type "email" accepts either code.
      const type = purpose === "recovery" ? "recovery" : "email";
      const { error } = await supabase.auth.verifyOtp({ email, token: code, type });
      if (error) throw error;
    },
  });

/** Sets a new password after a recovery. */
export const useChoosePassword = () =>
  useMutation({
    mutationFn: async (password: string) => {
      const { error } = await supabase.auth.updateUser({ password });
      if (error) throw error;
    },
  });

export const PROVIDERS = { google: "Google", facebook: "Facebook", apple: "Apple" } as const;
export type Provider = keyof typeof PROVIDERS;

/** The configured providers. */
export const providersQuery = queryOptions({
  queryKey: queryKeys.providers(),
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async (): Promise<Provider[]> => {
    const { supabaseUrl, supabaseAnonKey } = config();
    const reply = await requestAsUser(`${supabaseUrl}/auth/v1/settings`, { headers: { apikey: supabaseAnonKey } });
    if (!reply.ok) throw new Error(`/auth/v1/settings: ${reply.status}`);
    const { external = {} } = (await reply.json()) as { external?: Record<string, boolean> };
    return (Object.keys(PROVIDERS) as Provider[]).filter((provider) => external[provider]);
  },
});

/** Redirects the browser to a provider. */
export const useProviderSignIn = () =>
  useMutation({
    mutationFn: async (provider: Provider) => {
      const { error } = await supabase.auth.signInWithOAuth({ provider, options: { redirectTo: returnTo("social") } });
      if (error) throw error;
    },
  });

/** Exchanges a code for a session, in the browser that requested it. A code is valid for one attempt. */
export const exchangeQuery = (code: string) =>
  queryOptions({
    queryKey: queryKeys.authCode(code),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const { data, error } = await replacingSession(() => supabase.auth.exchangeCodeForSession(code));
      // The client loses the stored request when it saves a user with a pending change of address. In that case the
      // existing session is refreshed to get the new address.
      if (error && !(await hasNewAddress())) throw error;
      if (data.user) reportSignUp(data.user);
      return "done";
    },
  });

/** Reports a new account made by a provider's sign-in; others are reported at registration. */
function reportSignUp({ app_metadata, created_at, last_sign_in_at }: User) {
  const { provider = "email" } = app_metadata;
  const sinceMade = Date.parse(last_sign_in_at ?? "") - Date.parse(created_at);
  if (provider !== "email" && sinceMade < 10_000) track({ name: "sign_up", method: provider });
}

/** Refreshes the session; resolves to whether its email address has changed. */
async function hasNewAddress(): Promise<boolean> {
  const before = (await supabase.auth.getSession()).data.session?.user.email;
  if (before === undefined) return false;
  const { data } = await supabase.auth.refreshSession();
  return data.user !== null && data.user.email !== before;
}
