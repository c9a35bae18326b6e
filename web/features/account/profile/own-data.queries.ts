import { useMutation } from "@tanstack/react-query";
import { callFunction } from "../../../lib/call-function.ts";
import { appNavigation } from "../../../lib/navigation.ts";
import { saveFile } from "../../../lib/save-file.ts";
import { changeSession } from "../../../lib/session.ts";
import { clearStorage } from "../../../lib/stored-session.ts";
import { requestAsUser, supabase } from "../../../lib/supabase.ts";
import { paths } from "../../../paths.ts";
import { ProfileFailure } from "./profile-failure.ts";

async function callAsUser(name: string, body: unknown): Promise<unknown> {
  const { data } = await supabase.auth.getSession();
  if (!data.session) throw new ProfileFailure("notAuthenticated");
  return callFunction(name, body, { bearer: data.session.access_token, request: requestAsUser });
}

/** Hands all that is kept of the person to the browser's downloads. */
export const useDownloadData = () =>
  useMutation({
    mutationFn: async () => {
      const json = JSON.stringify(await callAsUser("my-data", {}), null, 2);
      saveFile(new Blob([json], { type: "application/json" }), "skies-my-data.json");
    },
  });

/** Deletes the account of whoever shows, by password or by a mailed code, that it is still them; then nothing is kept here. */
export const useDeleteAccount = (onDeleted: () => void) =>
  useMutation({
    onSuccess: onDeleted,
    mutationFn: async (proof: { password: string } | { nonce: string }) => {
      await callAsUser("delete-account", proof);
      clearStorage();
      appNavigation().goTo(paths.start());
      changeSession({ state: "signed out" });
    },
  });
