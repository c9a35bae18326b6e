import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { enqueuedTo, newestTo } from "../support/mailbox.ts";
import { signUp } from "../support/people.ts";
import { codeOf, enrolApp, forgetCodes, protect, protectByPhone } from "../support/second-factor.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const newPhone = () => `3902${Math.floor(1e7 * (1 + Math.random() * 8))}`;

test("an authenticator app is enrolled by QR code, secret and URI, and is verified by its first code", async () => {
  const ada = await signUp(server, "Ada");
  const { data: enrolled } = await ada.client.auth.mfa.enroll({
    factorType: "totp",
    friendlyName: "phone",
    issuer: "Ours",
  });
  expect(enrolled).toMatchObject({ type: "totp", friendly_name: "phone" });
  expect(enrolled?.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^#%]+<\/svg>$/);
  expect(decodeURIComponent(enrolled?.totp.uri ?? "")).toContain(`otpauth://totp/Ours:${ada.email}?`);
  const secret = enrolled?.totp.secret ?? "";
  expect(enrolled?.totp.uri).toContain(`secret=${secret}`);

  const before = await ada.client.auth.mfa.getAuthenticatorAssuranceLevel();
  expect(before.data).toMatchObject({ currentLevel: "aal1", nextLevel: "aal1" });
  expect((await ada.client.auth.mfa.listFactors()).data).toMatchObject({ all: [{ status: "unverified" }], totp: [] });

  const factorId = enrolled?.id ?? "";
  const { data: challenge } = await ada.client.auth.mfa.challenge({ factorId });
  expect(challenge).toMatchObject({ type: "totp", expires_at: expect.any(Number) });
  const { data, error } = await ada.client.auth.mfa.verify({
    factorId,
    challengeId: challenge?.id ?? "",
    code: codeOf(secret).replace(/^.../, "$& "),
  });
  expect(error).toBeNull();
  expect(data).toMatchObject({ token_type: "bearer", expires_in: 3600, user: { id: ada.id } });
  const claims = decodeJwt(data?.access_token ?? "");
  expect(claims).toMatchObject({ aal: "aal2", session_id: decodeJwt(ada.token).session_id });
  expect(claims.amr).toMatchObject([{ method: "totp" }, { method: "password" }]);
  const after = await ada.client.auth.mfa.getAuthenticatorAssuranceLevel();
  expect(after.data).toMatchObject({ currentLevel: "aal2", nextLevel: "aal2" });
  expect((await ada.client.auth.mfa.listFactors()).data?.totp).toMatchObject([
    { id: factorId, friendly_name: "phone" },
  ]);
});

test("a refresh keeps the assurance level, and the refresh token from before the verification still works", async () => {
  const ada = await signUp(server, "Ada");
  const before = (await ada.client.auth.getSession()).data.session?.refresh_token ?? "";
  await protect(server, ada);
  const { data, error } = await ada.client.auth.refreshSession();
  expect(error).toBeNull();
  expect(decodeJwt(data.session?.access_token ?? "")).toMatchObject({ aal: "aal2" });
  const tab = await server.client().auth.refreshSession({ refresh_token: before });
  expect([tab.error, tab.data.session?.refresh_token]).toEqual([null, data.session?.refresh_token]);
});

test("signing in starts at aal1, and a code raises the session to aal2", async () => {
  const ada = await signUp(server, "Ada");
  const app = await protect(server, ada);
  const elsewhere = server.client();
  const { data } = await elsewhere.auth.signInWithPassword({ email: ada.email, password: ada.password });
  expect(decodeJwt(data.session?.access_token ?? "")).toMatchObject({ aal: "aal1" });
  const level = await elsewhere.auth.mfa.getAuthenticatorAssuranceLevel();
  expect(level.data).toMatchObject({ currentLevel: "aal1", nextLevel: "aal2" });
  const { error } = await elsewhere.auth.mfa.challengeAndVerify({ factorId: app.id, code: codeOf(app.secret) });
  expect(error).toBeNull();
  expect((await elsewhere.auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe("aal2");
});

test("a phone factor is verified by a texted code", async () => {
  const ada = await signUp(server, "Ada");
  const phone = newPhone();
  const { data: enrolled } = await ada.client.auth.mfa.enroll({
    factorType: "phone",
    phone: `+${phone}`,
    friendlyName: "mine",
  });
  expect(enrolled).toMatchObject({ type: "phone", friendly_name: "mine", phone });
  const factorId = enrolled?.id ?? "";
  const { data: challenge } = await ada.client.auth.mfa.challenge({ factorId });
  const { code } = await newestTo(server, `+${phone}`);
  expect(code).toMatch(/^\d{6}$/);
  const { data, error } = await ada.client.auth.mfa.verify({ factorId, challengeId: challenge?.id ?? "", code });
  expect(error).toBeNull();
  expect(decodeJwt(data?.access_token ?? "")).toMatchObject({
    aal: "aal2",
    amr: [{ method: "mfa/phone" }, { method: "password" }],
  });
  expect((await ada.client.auth.mfa.listFactors()).data?.phone).toMatchObject([{ phone, status: "verified" }]);
});

test("the first code of a factor ends the sessions on other devices, and the owner gets an email", async () => {
  const ada = await signUp(server, "Ada");
  const elsewhere = server.client();
  await elsewhere.auth.signInWithPassword({ email: ada.email, password: ada.password });
  await protect(server, ada);
  expect((await elsewhere.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
  expect((await ada.client.auth.getUser()).error).toBeNull();
  const emails = (await enqueuedTo(server, ada.email)).filter(({ template }) => template === "factor-added");
  expect(emails).toMatchObject([{ props: { factor: "totp", profileUrl: expect.stringContaining("/profile") } }]);
});

test("removing a factor lowers the sessions that used it to aal1, and the owner gets an email", async () => {
  const ada = await signUp(server, "Ada");
  const app = await protect(server, ada);
  const { data, error } = await ada.client.auth.mfa.unenroll({ factorId: app.id });
  expect([error, data]).toEqual([null, { id: app.id }]);
  const refreshed = await ada.client.auth.refreshSession();
  expect(decodeJwt(refreshed.data.session?.access_token ?? "")).toMatchObject({
    aal: "aal1",
    amr: [{ method: "password" }],
  });
  expect((await ada.client.auth.mfa.listFactors()).data).toMatchObject({ all: [], totp: [] });
  const emails = (await enqueuedTo(server, ada.email)).filter(({ template }) => template === "factor-removed");
  expect(emails).toMatchObject([{ props: { factor: "totp" } }]);
});

test("removing one of two factors keeps the level reached with the other", async () => {
  const ada = await signUp(server, "Ada");
  const app = await protect(server, ada);
  const phoneId = await protectByPhone(server, ada, newPhone());
  await ada.client.auth.mfa.challengeAndVerify({ factorId: app.id, code: codeOf(app.secret) });
  expect((await ada.client.auth.mfa.unenroll({ factorId: phoneId })).error).toBeNull();
  const refreshed = await ada.client.auth.refreshSession();
  expect(decodeJwt(refreshed.data.session?.access_token ?? "")).toMatchObject({ aal: "aal2" });
});

test("enrolling again under the same name replaces an unfinished factor", async () => {
  const ada = await signUp(server, "Ada");
  const first = await enrolApp(ada);
  const second = await enrolApp(ada);
  const { data } = await ada.client.auth.mfa.listFactors();
  expect(data?.all.map(({ id }) => id)).toEqual([second.id]);
  expect(first.secret).not.toBe(second.secret);
});

test("the service lists and removes the factors of somebody who has lost their telephone", async () => {
  const ada = await signUp(server, "Ada");
  const app = await protect(server, ada);
  const { mfa } = server.service().auth.admin;
  expect((await mfa.listFactors({ userId: ada.id })).data?.factors).toMatchObject([{ id: app.id, status: "verified" }]);
  expect((await mfa.deleteFactor({ userId: ada.id, id: app.id })).error).toBeNull();
  expect((await mfa.listFactors({ userId: ada.id })).data?.factors).toEqual([]);
  expect((await server.client().auth.admin.mfa.listFactors({ userId: ada.id })).error?.code).toBe("not_admin");
});

test("a factor's secret is neither stored in plain text nor returned with the user", async () => {
  const ada = await signUp(server, "Ada");
  const app = await enrolApp(ada);
  const { rows } = await server.db.query("select * from auth.mfa_factors where id = $1", [app.id]);
  expect(JSON.stringify(rows)).not.toContain(app.secret);
  const { data } = await ada.client.auth.getUser();
  expect(JSON.stringify(data)).not.toContain("secret");
  await forgetCodes(server, app);
  expect(JSON.stringify((await ada.client.auth.getUser()).data)).not.toContain("last_step");
});
