import { config } from "../../lib/browser/config.ts";
import { callFunction, FunctionRefusal } from "../../lib/request/call-function.ts";
import { requestAsUser, supabase } from "../../lib/request/supabase.ts";

const bearer = async () => (await supabase.auth.getSession()).data.session?.access_token;

/** Calls a server function as the signed-in staff member; throws FunctionRefusal on any error. */
export const callAsStaff = async <T>(name: string, body: object): Promise<T> =>
  callFunction<T>(name, body, { bearer: await bearer(), request: requestAsUser });

/** Calls a function that responds with a file; resolves to the file and its name. */
export async function fileAsStaff(name: string, body: object): Promise<{ file: Blob; name: string }> {
  const { supabaseUrl, supabaseAnonKey } = config();
  const reply = await requestAsUser(`${supabaseUrl}/functions/v1/${name}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      apikey: supabaseAnonKey,
      authorization: `Bearer ${(await bearer()) ?? supabaseAnonKey}`,
    },
    body: JSON.stringify(body),
  });
  if (!reply.ok) {
    const { message, code } = (await reply.json().catch(() => ({}))) as { message?: string; code?: string };
    throw new FunctionRefusal(reply.status, message ?? reply.statusText, code);
  }
  const fileName = /filename="([^"]+)"/.exec(reply.headers.get("content-disposition") ?? "")?.[1];
  return { file: await reply.blob(), name: fileName ?? name };
}
