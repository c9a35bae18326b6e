import type { Config } from "../browser/config.ts";

/** The arguments of `fetch` for a POST of JSON to functions/v1/{name}; by a visitor, without a bearer. */
export const functionCall = (
  { supabaseUrl, supabaseAnonKey }: Pick<Config, "supabaseUrl" | "supabaseAnonKey">,
  name: string,
  body: unknown,
  bearer = supabaseAnonKey,
): [url: string, init: RequestInit & { headers: Record<string, string> }] => [
  `${supabaseUrl}/functions/v1/${name}`,
  {
    method: "POST",
    headers: { "content-type": "application/json", apikey: supabaseAnonKey, authorization: `Bearer ${bearer}` },
    body: JSON.stringify(body),
  },
];
