import { useMutation } from "@tanstack/react-query";
import { supabase } from "../../../lib/request/supabase.ts";
import { useProfileChange } from "./profile.queries.ts";
import { whileSignedIn } from "./while-signed-in.ts";

/** Begins to add an authenticator app: a picture to scan, or the key to type. It counts once a code of it was shown. */
export const useAddAuthenticator = () =>
  useMutation({
    mutationFn: async (name: string) => {
      const { id, totp } = await whileSignedIn(() =>
        supabase.auth.mfa.enroll({ factorType: "totp", issuer: "Skies", friendlyName: name }),
      );
      return { id, picture: totp.qr_code, key: totp.secret };
    },
  });

/** Begins to add a telephone and texts it a code. */
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

/** Shows a first code of what is being added; from then on it is asked for at every sign-in. */
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
