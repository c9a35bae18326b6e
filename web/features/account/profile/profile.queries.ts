import type { UserAttributes } from "@supabase/supabase-js";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { queryKeys, refresh } from "../../../data/query-keys.ts";
import { supabase } from "../../../lib/request/supabase.ts";
import { useUser } from "../../../lib/session/session.ts";
import { returnTo } from "../account.queries.ts";
import { replacingSession } from "../replacing-session.ts";
import { ProfileFailure } from "./profile-failure.ts";
import { whileSignedIn } from "./while-signed-in.ts";

/** The signed-in person as the server knows them. */
export const profileQuery = (userId: string) =>
  queryOptions({
    queryKey: queryKeys.profile(userId),
    queryFn: async () => (await whileSignedIn(() => supabase.auth.getUser())).user,
  });

/** A change after which the person is read anew. */
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

/** Spec §5: changes the name alone. */
export const useSaveName = () =>
  useProfileChange(async (fullName: string) => {
    try {
      await update({ data: { full_name: fullName } });
    } catch (error) {
      throw error instanceof ProfileFailure ? error : new ProfileFailure("notSaved", { cause: error });
    }
    const { data, error } = await supabase.auth.getUser();
    if (error || data.user.user_metadata.full_name !== fullName)
      throw new ProfileFailure("noUserData", { cause: error });
  });

/** Asks for a change of address, which the present and the new one have to confirm. */
export const useChangeEmail = () =>
  useProfileChange((email: string) => update({ email }, { emailRedirectTo: returnTo("email") }));

/** Sends both confirmations anew. */
export const useResendEmailChange = () =>
  useProfileChange((email: string) =>
    whileSignedIn(() =>
      supabase.auth.resend({ type: "email_change", email, options: { emailRedirectTo: returnTo("email") } }),
    ),
  );

/** Asks for a change of telephone number, given with its plus; a code is texted there. */
export const useChangePhone = () => useProfileChange((phone: string) => update({ phone }));

/** Confirms a new telephone number by the code that was texted there. */
export const useConfirmPhone = () =>
  useProfileChange(({ phone, code }: { phone: string; code: string }) =>
    replacingSession(() => whileSignedIn(() => supabase.auth.verifyOtp({ phone, token: code, type: "phone_change" }))),
  );

/** Chooses a new password; `nonce` is a mailed code, for a session that is no longer fresh. */
export const useSavePassword = () =>
  useProfileChange(({ password, nonce }: { password: string; nonce?: string }) => update({ password, nonce }));

/** Sends a code by which the person of the session shows that it is still them. */
export const useAskForProof = () =>
  useMutation({ mutationFn: () => whileSignedIn(() => supabase.auth.reauthenticate()) });
