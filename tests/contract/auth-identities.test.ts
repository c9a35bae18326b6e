import { randomUUID } from "node:crypto";
import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { type Person, signUp } from "../support/people.ts";
import { protect } from "../support/second-factor.ts";
import { signInBy, socialServer, visit } from "../support/social.ts";
import { openVisitor } from "../support/visitor.ts";

const server = await socialServer();
const newEmail = () => `${randomUUID()}@example.com`;
const redirectTo = `${server.publicUrl}/auth/callback?for=identity`;

/** Opens the app of a person in a browser that keeps cookies. */
async function appOf(person: Person) {
  const visitor = openVisitor();
  const client = server.app(visitor);
  const { error } = await client.auth.signInWithPassword({ email: person.email, password: person.password });
  if (error) throw error;
  return { visitor, client };
}
const linking = async (client: ReturnType<typeof server.app>) => {
  const { data, error } = await client.auth.linkIdentity({ provider: "google", options: { redirectTo } });
  if (error) throw error;
  return data.url ?? "";
};

test("a provider account with another address can be linked, and the session continues", async () => {
  const ada = await signUp(server, "Ada");
  const { visitor, client } = await appOf(ada);
  const before = (await client.auth.getSession()).data.session?.access_token ?? "";
  const login = newEmail();
  const { parameters } = await visit(visitor, await linking(client), { login });
  const { data, error } = await client.auth.exchangeCodeForSession(parameters.code ?? "");
  expect(error).toBeNull();
  expect(data.user).toMatchObject({ id: ada.id, email: ada.email });
  expect(decodeJwt(data.session?.access_token ?? "").session_id).toBe(decodeJwt(before).session_id);
  const { data: identities } = await client.auth.getUserIdentities();
  expect(identities?.identities.map(({ provider, identity_data }) => [provider, identity_data?.email])).toEqual([
    ["email", ada.email],
    ["google", login],
  ]);

  const elsewhere = server.app();
  const signedIn = await signInBy(server, elsewhere, "google", { login });
  const exchanged = await elsewhere.auth.exchangeCodeForSession(signedIn.parameters.code ?? "");
  expect(exchanged.data.user?.id).toBe(ada.id);
});

test("linking an account keeps the session's assurance level", async () => {
  const ada = await signUp(server, "Ada");
  const { visitor, client } = await appOf(ada);
  await protect(server, { ...ada, client });
  const { parameters } = await visit(visitor, await linking(client), { login: newEmail() });
  const { data } = await client.auth.exchangeCodeForSession(parameters.code ?? "");
  expect(decodeJwt(data.session?.access_token ?? "")).toMatchObject({ aal: "aal2" });
});

test("sign-in methods can be removed, but never the last one", async () => {
  const login = newEmail();
  const visitor = openVisitor();
  const client = server.app(visitor);
  const { parameters } = await signInBy(server, client, "facebook", { login }, { visitor });
  await client.auth.exchangeCodeForSession(parameters.code ?? "");
  const identities = async () => (await client.auth.getUserIdentities()).data?.identities ?? [];
  const [facebook] = await identities();
  if (!facebook) throw new Error("There is no identity");
  expect((await client.auth.unlinkIdentity(facebook)).error).toMatchObject({
    status: 422,
    code: "single_identity_not_deletable",
  });
  const returned = await visit(visitor, await linking(client), { login: newEmail() });
  await client.auth.exchangeCodeForSession(returned.parameters.code ?? "");
  expect((await client.auth.unlinkIdentity(facebook)).error).toBeNull();
  expect((await identities()).map(({ provider }) => provider)).toEqual(["google"]);
  expect((await client.auth.getUser()).data.user?.app_metadata.providers).toEqual(["google"]);
  const [google] = await identities();
  if (!google) throw new Error("There is no identity");
  expect((await client.auth.unlinkIdentity(google)).error?.code).toBe("single_identity_not_deletable");
});

test("a person who signed up by a provider and sets a password can then sign in by address", async () => {
  const login = newEmail();
  const client = server.app();
  const { parameters } = await signInBy(server, client, "google", { login });
  await client.auth.exchangeCodeForSession(parameters.code ?? "");
  expect((await client.auth.updateUser({ password: "a good password" })).error).toBeNull();
  const { data } = await client.auth.getUserIdentities();
  expect(data?.identities.map(({ provider }) => provider)).toEqual(["google", "email"]);
  const google = data?.identities[0];
  if (google) expect((await client.auth.unlinkIdentity(google)).error).toBeNull();
  expect(
    (await server.client().auth.signInWithPassword({ email: login, password: "a good password" })).error,
  ).toBeNull();
});

describe("refused:", () => {
  test("an account that is another person's sign-in method already", async () => {
    const login = newEmail();
    const bobs = server.app();
    const hers = await signInBy(server, bobs, "google", { login });
    await bobs.auth.exchangeCodeForSession(hers.parameters.code ?? "");
    const ada = await signUp(server, "Ada");
    const { visitor, client } = await appOf(ada);
    const { fragment, parameters } = await visit(visitor, await linking(client), { login });
    expect(fragment).toMatchObject({ error: "invalid_request", error_code: "identity_already_exists" });
    expect(parameters.code).toBeUndefined();
    expect((await client.auth.getUserIdentities()).data?.identities).toHaveLength(1);
  });

  test("an account that is linked already", async () => {
    const ada = await signUp(server, "Ada");
    const { visitor, client } = await appOf(ada);
    const login = newEmail();
    await visit(visitor, await linking(client), { login });
    const { fragment } = await visit(visitor, await linking(client), { login });
    expect(fragment).toMatchObject({
      error_code: "identity_already_exists",
      error_description: "Identity is already linked",
    });
    expect((await client.auth.getUserIdentities()).data?.identities).toHaveLength(2);
  });

  test("a linking URL opened in another person's browser", async () => {
    const mallory = await signUp(server, "Mallory");
    const { client } = await appOf(mallory);
    const { fragment } = await visit(openVisitor(), await linking(client), { login: newEmail() });
    expect(fragment).toMatchObject({ error: "invalid_request", error_code: "bad_oauth_state" });
    expect((await client.auth.getUserIdentities()).data?.identities).toHaveLength(1);
  });

  test("linking after signing out", async () => {
    const ada = await signUp(server, "Ada");
    const { visitor, client } = await appOf(ada);
    const url = await linking(client);
    await client.auth.signOut();
    const login = newEmail();
    const { fragment } = await visit(visitor, url, { login });
    expect(fragment.error_code).toBe("bad_oauth_state");
    expect((await server.db.query("select from auth.users where email = $1", [login])).rows).toEqual([]);
  });

  test("linking and unlinking by a session that has not verified the second factor", async () => {
    const ada = await signUp(server, "Ada");
    const first = await appOf(ada);
    await visit(first.visitor, await linking(first.client), { login: newEmail() });
    await protect(server, { ...ada, client: first.client });
    const { client } = await appOf(ada);
    const added = await client.auth.linkIdentity({ provider: "google", options: { redirectTo } });
    expect(added.error).toMatchObject({ status: 401, code: "insufficient_aal" });
    const { data } = await client.auth.getUserIdentities();
    const google = data?.identities.find(({ provider }) => provider === "google");
    if (!google) throw new Error("There is no identity");
    expect((await client.auth.unlinkIdentity(google)).error?.code).toBe("insufficient_aal");
    const after = (await first.client.auth.getUserIdentities()).data;
    expect(after?.identities.map(({ id }) => id)).toEqual(data?.identities.map(({ id }) => id));
  });

  test("removing the email address's identity, another person's identity or an unknown one", async () => {
    const [ada, bob] = [await signUp(server, "Ada"), await signUp(server, "Bob")];
    const { visitor, client } = await appOf(ada);
    await visit(visitor, await linking(client), { login: newEmail() });
    const remove = async (id: string) => {
      const token = (await client.auth.getSession()).data.session?.access_token;
      const reply = await fetch(`${server.url}/auth/v1/user/identities/${id}`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${token}` },
      });
      return [reply.status, (await reply.json()).error_code];
    };
    const { data: hers } = await client.auth.getUserIdentities();
    const { data: his } = await bob.client.auth.getUserIdentities();
    expect(await remove(hers?.identities[0]?.identity_id ?? "")).toEqual([
      422,
      "email_conflict_identity_not_deletable",
    ]);
    expect(await remove(his?.identities[0]?.identity_id ?? "")).toEqual([422, "identity_not_found"]);
    expect(await remove(randomUUID())).toEqual([422, "identity_not_found"]);
    expect(await remove("1")).toEqual([404, "validation_failed"]);
    expect((await client.auth.getUserIdentities()).data?.identities).toHaveLength(2);
    expect((await bob.client.auth.getUserIdentities()).data?.identities).toHaveLength(1);
  });
});
