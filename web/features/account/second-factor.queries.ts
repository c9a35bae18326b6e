import { queryOptions, useMutation } from "@tanstack/react-query";
import { queryKeys } from "../../data/query-keys.ts";
import { supabase } from "../../lib/request/supabase.ts";

export interface SecondFactorChoice {
  id: string;
  kind: "totp" | "phone";
  name: string;
}

/** The second factors that the person of the session has set up, authenticator apps first. */
export const factorsQuery = queryOptions({
  queryKey: queryKeys.secondFactors(),
  queryFn: async (): Promise<SecondFactorChoice[]> => {
    const { data, error } = await supabase.auth.mfa.listFactors();
    if (error) throw error;
    return [...data.totp, ...data.phone].map(({ id, factor_type, friendly_name }) => ({
      id,
      kind: factor_type,
      name: friendly_name ?? "",
    }));
  },
});

/** Has a code made for a factor, which a telephone is sent; resolves to the id by which it is answered. */
export const useChallenge = () =>
  useMutation({
    mutationFn: async (factorId: string) => {
      const { data, error } = await supabase.auth.mfa.challenge({ factorId });
      if (error) throw error;
      return data.id;
    },
  });

/** Shows the second factor: the session then is its person's in full. */
export const useProveFactor = () =>
  useMutation({
    mutationFn: async ({ factorId, challengeId, code }: { factorId: string; challengeId?: string; code: string }) => {
      const { error } = challengeId
        ? await supabase.auth.mfa.verify({ factorId, challengeId, code })
        : await supabase.auth.mfa.challengeAndVerify({ factorId, code });
      if (error) throw error;
    },
  });
