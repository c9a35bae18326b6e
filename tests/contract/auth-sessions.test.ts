import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { type Person, signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const beside = await testServer({}, server);

const refresh = (token: string, on = server) => on.client().auth.refreshSession({ refresh_token: token });
const refreshTokenOf = async (person: Person) => {
  const { data } = await person.client.auth.getSession();
  return data.session?.refresh_token ?? "";
};
/** Simulates that a minute has passed since every exchange. */
const aMinutePasses = () =>
  server.db.query("update auth.refresh_tokens set updated_at = updated_at - interval '1 minute'");
const whoIs = async (token = "") => (await server.client().auth.getUser(token)).data.user?.id;

test("a refresh gives new tokens of the same session", async () => {
  const ada = await signUp(server, "Ada");
  const first = await refreshTokenOf(ada);
  const { data } = await refresh(first);
  expect(data.session?.refresh_token).not.toBe(first);
  expect(data.user?.id).toBe(ada.id);
  const [before, after] = [decodeJwt(ada.token), decodeJwt(data.session?.access_token ?? "")];
  expect(after).toMatchObject({ session_id: before.session_id, amr: before.amr, sub: ada.id });
  expect(await whoIs(data.session?.access_token)).toBe(ada.id);
});

test("a refresh token is stored only as a hash", async () => {
  const ada = await signUp(server, "Ada");
  const token = await refreshTokenOf(ada);
  const { rows } = await server.db.query("select * from auth.refresh_tokens where user_id = $1", [ada.id]);
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(token);
});

/** Sends the same token from six tabs, on two processes, at the same moment. Resolves to their responses. */
async function refreshAtOnce(userId: string, token: string) {
  // Sent without the client, whose retries would hide a failure.
  const ask = async ({ url }: { url: string }) => {
    const reply = await fetch(`${url}/auth/v1/token?grant_type=refresh_token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ refresh_token: token }),
    });
    return { status: reply.status, next: ((await reply.json()) as { refresh_token?: string }).refresh_token ?? "" };
  };
  let tabs: ReturnType<typeof ask>[] = [];
  await server.db.transaction(async (tx) => {
    await tx.query("select id from auth.sessions where user_id = $1 for update", [userId]);
    tabs = [server, beside, server, beside, server, beside].map(ask);
    // All requests reach the session before the first may continue.
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await expect.poll(async () => (await server.db.query(waiting)).rows.length).toBe(tabs.length);
  });
  return Promise.all(tabs);
}

test("tabs that refresh at once, in two processes, all keep a working session", async () => {
  const ada = await signUp(server, "Ada");
  const token = await refreshTokenOf(ada);
  const tabs = await refreshAtOnce(ada.id, token);
  const next = tabs[0]?.next ?? "";
  expect(tabs).toEqual(tabs.map(() => ({ status: 200, next })));
  expect(next).not.toBe(token);
  expect((await refresh(next)).error).toBeNull();
});

test("a client that lost the response gets the same refresh token on a late retry", async () => {
  const ada = await signUp(server, "Ada");
  const token = await refreshTokenOf(ada);
  const { data: lost } = await refresh(token);
  await aMinutePasses();
  const { data } = await refresh(token);
  expect(data.session?.refresh_token).toBe(lost.session?.refresh_token);
});

test("a tab that is two exchanges behind catches up within ten seconds", async () => {
  const ada = await signUp(server, "Ada");
  const first = await refreshTokenOf(ada);
  const second = (await refresh(first)).data.session?.refresh_token ?? "";
  const third = (await refresh(second)).data.session?.refresh_token ?? "";
  expect((await refresh(first)).data.session?.refresh_token).toBe(third);
});

test("a refresh token that is reused after its successor was used ends the whole session", async () => {
  const ada = await signUp(server, "Ada");
  const stolen = await refreshTokenOf(ada);
  const second = (await refresh(stolen)).data.session?.refresh_token ?? "";
  const third = await refresh(second);
  await aMinutePasses();
  expect((await refresh(stolen)).error).toMatchObject({ status: 400, code: "refresh_token_already_used" });
  const newest = third.data.session;
  expect((await refresh(newest?.refresh_token ?? "")).error?.code).toBe("refresh_token_not_found");
  expect((await server.client().auth.getUser(newest?.access_token)).error?.name).toBe("AuthSessionMissingError");
  // Other sessions of the same person are not touched.
  expect((await server.client().auth.signInWithPassword(ada)).error).toBeNull();
});

test("reuse while the session is being refreshed elsewhere neither hangs nor fails", async () => {
  const ada = await signUp(server, "Ada");
  const first = await refreshTokenOf(ada);
  const second = (await refresh(first)).data.session?.refresh_token ?? "";
  const third = (await refresh(second)).data.session?.refresh_token ?? "";
  await aMinutePasses();
  const answers = await Promise.all([first, third, first, third].map((token) => refresh(token)));
  const codes = answers.map(({ error }) => error?.code ?? "refreshed");
  expect(codes).toContain("refresh_token_already_used");
  expect(codes).not.toContain("unexpected_failure");
});

test("an invented refresh token is refused", async () => {
  expect((await refresh("invented")).error).toMatchObject({
    status: 400,
    code: "refresh_token_not_found",
    message: "Invalid Refresh Token: Refresh Token Not Found",
  });
});

/** Signs a person in on three devices, and signs the first one out. */
async function threeDevices(scope?: "global" | "local" | "others") {
  const ada = await signUp(server, "Ada");
  const others = [server.client(), server.client()];
  for (const device of others) await device.auth.signInWithPassword(ada);
  const devices = [ada.client, ...others];
  const sessions = await Promise.all(devices.map(async (device) => (await device.auth.getSession()).data.session));
  const bob = await signUp(server, "Bob");
  expect((await ada.client.auth.signOut(scope ? { scope } : undefined)).error).toBeNull();
  expect(await whoIs(bob.token)).toBe(bob.id);
  return Promise.all(
    sessions.map(async (session) => {
      const seen = await whoIs(session?.access_token);
      const refreshed = await refresh(session?.refresh_token ?? "");
      expect(refreshed.error?.code).toBe(seen ? undefined : "refresh_token_not_found");
      return seen ? "signed in" : "signed out";
    }),
  );
}

test.each([
  [undefined, ["signed out", "signed out", "signed out"]],
  ["global", ["signed out", "signed out", "signed out"]],
  ["local", ["signed out", "signed in", "signed in"]],
  ["others", ["signed in", "signed out", "signed out"]],
] as const)("signing out with scope %s ends the sessions it names", async (scope, expected) => {
  expect(await threeDevices(scope)).toEqual(expected);
});

test("Spec §8: sign-out tolerates a session that has ended already", async () => {
  const ada = await signUp(server, "Ada");
  await server.db.query("delete from auth.sessions where user_id = $1", [ada.id]);
  expect((await ada.client.auth.signOut()).error).toBeNull();
});

test("deleting an account ends its sessions", async () => {
  const ada = await signUp(server, "Ada");
  const token = await refreshTokenOf(ada);
  await server.db.query("delete from auth.users where id = $1", [ada.id]);
  expect((await ada.client.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
  expect((await refresh(token)).error?.code).toBe("refresh_token_not_found");
});

test("a token is accepted by another process", async () => {
  const ada = await signUp(server, "Ada");
  expect((await beside.client().auth.getUser(ada.token)).data.user?.id).toBe(ada.id);
});
