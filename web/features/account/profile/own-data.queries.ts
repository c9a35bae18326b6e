import { useMutation } from "@tanstack/react-query";
import { appNavigation } from "../../../lib/browser/navigation.ts";
import { saveFile } from "../../../lib/browser/save-file.ts";
import { callFunction } from "../../../lib/request/call-function.ts";
import { requestAsUser, supabase } from "../../../lib/request/supabase.ts";
import { changeSession } from "../../../lib/session/session.ts";
import { clearStorage } from "../../../lib/session/stored-session.ts";
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
