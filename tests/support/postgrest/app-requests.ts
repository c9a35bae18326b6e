import { registerVisitor } from "../../../web/lib/request/account-ids.ts";
import type { SupabaseClient } from "../../../web/lib/request/database-client.ts";
import { appReads, readOnce } from "../app-reads.ts";
import type { SizedOwner } from "../owner-of-size.ts";
import { REST_ROOT, recordingClient } from "../recording-client.ts";
import type { TestServer } from "../server.ts";
import type { Exchange } from "./send.ts";

/** The parameters with the characters of the protocol as they are, like those of generated requests. */
const readable = (search: string) => search.replace(/%(2C|28|29|3A|21|22|2A)/g, (code) => decodeURIComponent(code));

/** A reader: their bearer token, and whether it names an account. */
interface Reader {
  bearer: string;
  hasAccount: boolean;
}

/**
 * Makes every read of the web app in an owner's memory and album, also where this reader is refused. Resolves to the
 * requests to tables and functions.
 */
export async function appRequests(
  server: TestServer,
  owner: SizedOwner,
  { bearer, hasAccount }: Reader,
): Promise<Exchange[]> {
  const requests: Exchange[] = [];
  const client = recordingClient(server, bearer, ({ url, ...request }) =>
    requests.push({ ...request, path: url.pathname.slice(REST_ROOT.length) + readable(url.search) }),
  ) as unknown as SupabaseClient;
  if (!hasAccount) registerVisitor(client, () => false);
  // A refusal is an answer, too.
  for (const query of Object.values(await appReads(server, client, owner))) await readOnce(query()).catch(() => {});
  return requests;
}
