import { config } from "../browser/config.ts";
import { plainRequest } from "./call-function.ts";

let request: typeof fetch = plainRequest;

/** Has public rows read in another way than by the browser's requests: the server renders pages with them. */
export function readPublicRowsBy(given: typeof fetch) {
  request = given;
}

/** Rows of a public table, without the client, which is large: `query` as PostgREST writes it. Rejects with `failed`. */
export async function publicRows<Row>(
  table: string,
  query: string[][],
  signal: AbortSignal,
  failed: string,
): Promise<Row[]> {
  const { supabaseUrl, supabaseAnonKey } = config();
  const reply = await request(`${supabaseUrl}/rest/v1/${table}?${new URLSearchParams(query)}`, {
    headers: { apikey: supabaseAnonKey },
    signal,
  }).catch((cause: unknown) => {
    throw new Error(failed, { cause });
  });
  if (!reply.ok) throw new Error(failed, { cause: reply.status });
  return reply.json();
}
