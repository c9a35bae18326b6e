import type { UserIdentity } from "@supabase/supabase-js";
import { useMutation } from "@tanstack/react-query";
import { supabase } from "../../../lib/request/supabase.ts";
import { type Provider, returnTo } from "../account.queries.ts";
import { useProfileChange } from "./profile.queries.ts";
import { whileSignedIn } from "./while-signed-in.ts";

/** Goes to a provider to make it a way in; the browser leaves this page. */
export const useLinkIdentity = () =>
  useMutation({
    mutationFn: (provider: Provider) =>
      whileSignedIn(() => supabase.auth.linkIdentity({ provider, options: { redirectTo: returnTo("identity") } })),
  });

/** Takes a way in away; the server keeps the last. */
export const useUnlinkIdentity = () =>
  useProfileChange((identity: UserIdentity) => whileSignedIn(() => supabase.auth.unlinkIdentity(identity)));
