import { config } from "../browser/config.ts";
import { plainRequest } from "./call-function.ts";

let request: typeof fetch = plainRequest;

/** Replaces the fetch function for public rows. The server sets its own to render pages. */
export function readPublicRowsBy(customFetch: typeof fetch) {
  request = customFetch;
}

/** Reads rows of a public table without the large client; `query` is in PostgREST's syntax. Rejects with `failed`. */
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
