import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import type { TestServer } from "./server.ts";

/** A signed-in person. */
export interface Person {
  id: string;
  email: string;
  password: string;
  /** Their access token, valid for an hour. */
  token: string;
  /** The official client with their session in memory. */
  client: SupabaseClient;
}

/** Registers a new person through the server's API. */
export async function signUp(server: Pick<TestServer, "client">, name = "someone"): Promise<Person> {
  const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, ".")}.${randomUUID().slice(0, 8)}@example.com`;
  const password = `a good password ${randomUUID()}`;
  const client = server.client();
  const { data, error } = await client.auth.signUp({ email, password, options: { data: { full_name: name } } });
  if (error) throw error;
  if (!data.user || !data.session) throw new Error("Signing up gave no session");
  return { id: data.user.id, email, password, token: data.session.access_token, client };
}

/** Registers a person with a paid plan, because the free one allows a single memory. */
export async function signUpWithPlan(
  server: Pick<TestServer, "client" | "service">,
  name?: string,
  plan = "skies-memories",
): Promise<Person> {
  const person = await signUp(server, name);
  await server.service().rpc("grant_plan", { email: person.email, plan }).throwOnError();
  return person;
}
