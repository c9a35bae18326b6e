import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expect } from "vitest";
import type { TestServer } from "./server.ts";
import { type Answer, open, post } from "./sharing.ts";

/** A guest of a link. */
export interface SignedGuest {
  id: string;
  /** The secret key of their browser. */
  key: string;
  token: string;
  client: SupabaseClient;
}

/** A new key, in the format of browsers. */
export const newKey = () => randomUUID().replaceAll("-", "");

/** Signs the link of a token. */
export const sign = (
  server: Pick<TestServer, "url" | "keys">,
  token: unknown,
  body: object = {},
  address = "203.0.113.9",
): Promise<Answer> =>
  post(
    server,
    "sign-guest",
    { name: "Gina", guestKey: newKey(), language: "en", timeZone: "Europe/Rome", ...body },
    { authorization: `Bearer ${token}`, "x-forwarded-for": address },
  );

/** Opens a link and signs it. */
export async function guestOf(server: TestServer, shareId: string, body: object = {}): Promise<SignedGuest> {
  const key = newKey();
  const { body: opened } = await open(server, shareId);
  const { body: signed, status } = await sign(server, opened.token, { guestKey: key, ...body });
  expect(status).toBe(200);
  const token = String(signed.token);
  return { id: (signed.guest as { id: string }).id, key, token, client: server.client(token) };
}
