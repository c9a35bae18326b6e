import { queryOptions, useMutation } from "@tanstack/react-query";
import { z } from "zod";
import { queryKeys } from "../../data/query-keys.ts";
import { config } from "../../lib/browser/config.ts";
import { browserStorage } from "../../lib/browser/storage.ts";
import { plainRequest } from "../../lib/request/call-function.ts";
import { supabase } from "../../lib/request/supabase.ts";
import { SESSION_KEY } from "../../lib/session/session-key.ts";
import { type MailedLink, signsInHere } from "./mailed-link.ts";
import { replacingSession } from "./replacing-session.ts";

const Preview = z.object({
  state: z.enum(["valid", "used", "expired"]),
  sent_to: z.string().optional(),
  own: z.boolean().optional(),
});
const Followed = z.object({ redirect_to: z.string() });

/** POSTs to `auth/v1/verify/…`. Throws an error with the refusal's code and status. */
async function postLink(path: string, body: object): Promise<unknown> {
  const { supabaseUrl, supabaseAnonKey } = config();
  const reply = await plainRequest(`${supabaseUrl}/auth/v1/verify/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", apikey: supabaseAnonKey },
    body: JSON.stringify(body),
  });
  const answer: unknown = await reply.json().catch(() => ({}));
  if (reply.ok) return answer;
  const { msg, error_code } = (answer ?? {}) as { msg?: unknown; error_code?: unknown };
  throw Object.assign(new Error(String(msg)), { code: error_code, status: reply.status });
}

/** The state of an emailed link: reading it does not use it. `own` says that this browser asked for the link. */
export const linkPreviewQuery = (link: MailedLink) =>
  queryOptions({
    queryKey: queryKeys.mailedLink(link.token),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async () =>
      Preview.parse(
        await postLink("link/state", { token: link.token, type: link.type, code_challenge: await ownChallenge() }),
      ),
  });

/** Uses an emailed link. Resolves to the URL where its page goes on. */
export const useFollowLink = (link: MailedLink) =>
  useMutation({
    mutationFn: async (own: boolean) => {
      if (own || !signsInHere(link)) return Followed.parse(await postLink("link", { ...link })).redirect_to;
      // The link was requested elsewhere, so this browser lacks the secret that completes that request. The person has
      // read which account it opens, and has pressed the button.
      const { error } = await replacingSession(() =>
        supabase.auth.verifyOtp({ token_hash: link.token, type: link.type as "magiclink" }),
      );
      if (error) throw error;
      return link.redirect_to;
    },
  });

/** The PKCE challenge of the request that this browser last made, as the client computes it; undefined without one. */
async function ownChallenge(): Promise<string | undefined> {
  const stored = browserStorage.getItem(`${SESSION_KEY}-code-verifier`);
  if (stored === null) return undefined;
  // The client stores JSON, and marks the verifier of a recovery.
  const verifier = stored.replaceAll('"', "").split("/")[0] ?? "";
  // Browsers have no SHA-256 on pages without HTTPS; the client then sends the verifier itself.
  if (globalThis.crypto?.subtle === undefined) return verifier;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
