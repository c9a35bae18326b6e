import type { UserAttributes, UserIdentity } from "@supabase/supabase-js";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Returned } from "../../../../shared/database.ts";
import { queryKeys } from "../../../data/query-keys.ts";
import { useRefreshingMutation } from "../../../data/refreshing.ts";
import { appNavigation } from "../../../lib/browser/navigation.ts";
import { saveFile } from "../../../lib/browser/save-file.ts";
import { callFunction } from "../../../lib/request/call-function.ts";
import { optimisticUpdate } from "../../../lib/request/optimistic-update.ts";
import { refresh } from "../../../lib/request/refresh.ts";
import { requestAsUser, supabase } from "../../../lib/request/supabase.ts";
import { unwrap } from "../../../lib/request/unwrap.ts";
import { announceSignOut } from "../../../lib/session/ended-session.ts";
import { changeSession, signedInUser, useUser } from "../../../lib/session/session.ts";
import { paths } from "../../../paths.ts";
import { type Provider, returnTo } from "../account.queries.ts";
import { replacingSession } from "../replacing-session.ts";
import { leaveDevice } from "../sign-out.ts";
import { ProfileFailure } from "./profile-failure.ts";
import { whileSignedIn } from "./while-signed-in.ts";

/** The signed-in person's account. */
export const profileQuery = (userId: string) =>
  queryOptions({
    queryKey: queryKeys.profile(userId),
    queryFn: async () => (await whileSignedIn(() => supabase.auth.getUser())).user,
  });

/** Returns a mutation that reloads the account after success. */
export function useProfileChange<Values, Result>(change: (values: Values) => Promise<Result>) {
  const queries = useQueryClient();
  const { id } = useUser();
  return useMutation({
    mutationFn: change,
    onSuccess: () => refresh(queries, profileQuery(id).queryKey),
  });
}

const update = (attributes: UserAttributes, options?: { emailRedirectTo: string }) =>
  whileSignedIn(() => supabase.auth.updateUser(attributes, options));

/** The name that another window or device of this person has saved since the form opened. */
export class NameChanged extends Error {
  constructor(readonly stored: string) {
    super("Changed by somebody else");
  }
}

/** Spec §5: changes only the name. Rejects with {@link NameChanged} if it is no longer `base`; nothing is saved then. */
export const useSaveName = () =>
  useProfileChange(async ({ fullName, base }: { fullName: string; base: string }) => {
    try {
      // The auth API accepts no revision, so the name is read right before it is changed.
      const { user } = await whileSignedIn(() => supabase.auth.getUser());
      const stored = String(user.user_metadata.full_name ?? "");
      if (stored !== base && stored !== fullName) throw new NameChanged(stored);
      await update({ data: { full_name: fullName } });
    } catch (error) {
      throw error instanceof ProfileFailure || error instanceof NameChanged
        ? error
        : new ProfileFailure("notSaved", { cause: error });
    }
    const { data, error } = await supabase.auth.getUser();
    if (error || data.user.user_metadata.full_name !== fullName)
      throw new ProfileFailure("noUserData", { cause: error });
  });

/** Requests a change of address, which the current and the new address have to confirm. */
export const useChangeEmail = () =>
  useProfileChange((email: string) => update({ email }, { emailRedirectTo: returnTo("email") }));

/** Sends both confirmations again. */
export const useResendEmailChange = () =>
  useProfileChange((email: string) =>
    whileSignedIn(() =>
      supabase.auth.resend({ type: "email_change", email, options: { emailRedirectTo: returnTo("email") } }),
    ),
  );

/** Requests a change of phone number (E.164). The server sends a code to the new number. */
export const useChangePhone = () => useProfileChange((phone: string) => update({ phone }));

/** Confirms a new phone number by the code from the text message. */
export const useConfirmPhone = () =>
  useProfileChange(({ phone, code }: { phone: string; code: string }) =>
    replacingSession(() => whileSignedIn(() => supabase.auth.verifyOtp({ phone, token: code, type: "phone_change" }))),
  );

/** Sets a new password; `nonce` is an emailed code, required for an older session. */
export const useSavePassword = () =>
  useProfileChange(({ password, nonce }: { password: string; nonce?: string }) => update({ password, nonce }));

/** Sends a code to confirm the person's identity. */
export const useAskForProof = () =>
  useMutation({ mutationFn: () => whileSignedIn(() => supabase.auth.reauthenticate()) });

/** The purchases that deleting an account ends: payments in progress, and cards that are not engraved. */
export const deletionLossesQuery = (userId: string) =>
  queryOptions({
    queryKey: queryKeys.deletionLosses(userId),
    queryFn: async ({ signal }) => {
      const [payments, cards] = await Promise.all([
        supabase
          .from("orders")
          .select("id")
          .eq("user_id", userId)
          .eq("status", "pending")
          .abortSignal(signal)
          .then(unwrap("Failed to load orders")),
        supabase
          .from("metal_cards")
          .select("id, line:order_items(kind)")
          .eq("user_id", userId)
          .in("making", ["waiting", "ordered"])
          .abortSignal(signal)
          .then(unwrap("Failed to load cards")),
      ]);
      const bought = cards.filter(({ line }) => line?.kind === "card").length;
      return { payments: payments.length, boughtCards: bought, includedCards: cards.length - bought };
    },
    // The dialog shows what is lost now.
    staleTime: 0,
  });

export type DeviceRow = Returned<"my_sessions">[number];

/** The person's sessions: this device first, then by last use. */
export const devicesQuery = (userId: string) =>
  queryOptions({
    queryKey: queryKeys.devices(userId),
    queryFn: async (): Promise<DeviceRow[]> => {
      const { data, error } = await supabase.rpc("my_sessions");
      if (error) throw error;
      return data;
    },
  });

/** Ends one session, or all but this one. */
export const useEndDevices = (userId: string) =>
  useRefreshingMutation([devicesQuery(userId).queryKey], async (which: { id: string } | "others") => {
    if (which === "others") {
      await whileSignedIn(async () => ({ data: null, ...(await supabase.auth.signOut({ scope: "others" })) }));
    } else {
      const { error } = await supabase.rpc("end_session", { session_id: which.id });
      if (error) throw error;
    }
  });

/** Redirects to a provider to link it as a sign-in method. */
export const useLinkIdentity = () =>
  useMutation({
    mutationFn: (provider: Provider) =>
      whileSignedIn(() => supabase.auth.linkIdentity({ provider, options: { redirectTo: returnTo("identity") } })),
  });

/** Removes a sign-in method; the server refuses the last one. */
export const useUnlinkIdentity = () =>
  useProfileChange((identity: UserIdentity) => whileSignedIn(() => supabase.auth.unlinkIdentity(identity)));

/** Whether the person's address receives emails that other people cause; true if no row exists. */
export const emailSettingsQuery = (email: string) =>
  queryOptions({
    queryKey: queryKeys.emailWishes(email),
    queryFn: async ({ signal }): Promise<boolean> => {
      const { data, error } = await supabase
        .from("email_preferences")
        .select("unsubscribed")
        .eq("email", email.toLowerCase())
        .abortSignal(signal)
        .maybeSingle();
      if (error) throw error;
      return !(data?.unsubscribed ?? false);
    },
  });

/** Changes whether the address receives emails that other people cause, with an optimistic update. */
export function useSetEmailSettings(email: string) {
  const cache = useQueryClient();
  const { queryKey } = emailSettingsQuery(email);
  return useMutation({
    mutationFn: async (receives: boolean) => {
      const row = { email: email.toLowerCase(), unsubscribed: !receives };
      const { error } = await supabase.from("email_preferences").upsert(row);
      if (error) throw error;
    },
    ...optimisticUpdate(cache, { queryKey, change: (_known: boolean, receives: boolean) => receives }),
  });
}

async function callAsUser(name: string, body: unknown): Promise<unknown> {
  const { data } = await supabase.auth.getSession();
  if (!data.session) throw new ProfileFailure("notAuthenticated");
  return callFunction(name, body, { bearer: data.session.access_token, request: requestAsUser });
}

/** Downloads all stored data of the person. */
export const useDownloadData = () =>
  useMutation({
    mutationFn: async () => {
      const json = JSON.stringify(await callAsUser("my-data", {}), null, 2);
      saveFile(new Blob([json], { type: "application/json" }), "skies-my-data.json");
    },
  });

/** Deletes the account after confirmation by password or emailed code, and clears this browser's data. */
export const useDeleteAccount = (onDeleted: () => void) =>
  useMutation({
    onSuccess: onDeleted,
    mutationFn: async (proof: { password: string } | { nonce: string }) => {
      const user = signedInUser();
      await callAsUser("delete-account", proof);
      announceSignOut();
      await leaveDevice(user);
      appNavigation().goTo(paths.start());
      changeSession({ state: "signed out" });
    },
  });

/** Starts adding an authenticator app; resolves to a QR code and key. The app is active once a code is verified. */
export const useAddAuthenticator = () =>
  useMutation({
    mutationFn: async (name: string) => {
      const { id, totp } = await whileSignedIn(() =>
        supabase.auth.mfa.enroll({ factorType: "totp", issuer: "Skies", friendlyName: name }),
      );
      return { id, picture: totp.qr_code, key: totp.secret, uri: totp.uri };
    },
  });

/** Starts adding a phone, and sends a code to it by text message. */
export const useAddPhone = () =>
  useMutation({
    mutationFn: async (phone: string) => {
      const { id } = await whileSignedIn(() =>
        supabase.auth.mfa.enroll({ factorType: "phone", phone, friendlyName: phone }),
      );
      const challenge = await whileSignedIn(() => supabase.auth.mfa.challenge({ factorId: id }));
      return { id, challengeId: challenge.id };
    },
  });

/** Verifies a new factor's first code; from then on it is required at every sign-in. */
export const useConfirmFactor = () =>
  useProfileChange(({ id, challengeId, code }: { id: string; challengeId?: string; code: string }) =>
    whileSignedIn<{ data: unknown; error: Error | null }>(() =>
      challengeId
        ? supabase.auth.mfa.verify({ factorId: id, challengeId, code })
        : supabase.auth.mfa.challengeAndVerify({ factorId: id, code }),
    ),
  );

export const useRemoveFactor = () =>
  useProfileChange((factorId: string) => whileSignedIn(() => supabase.auth.mfa.unenroll({ factorId })));
