import { randomUUID } from "node:crypto";
import type { UserAttributes } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { enqueuedTo, follow, newestTo } from "../support/mailbox.ts";
import { type Person, signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const newEmail = () => `${randomUUID()}@example.com`;
const newPhone = () => `3902${Math.floor(1e7 * (1 + Math.random() * 8))}`;
const emailOf = async (person: Person) => (await server.client().auth.getUser(person.token)).data.user?.email;
const aDayPasses = (person: Person) =>
  server.db.query("update auth.sessions set created_at = created_at - interval '25 hours' where user_id = $1", [
    person.id,
  ]);

test("a new email address counts once both addresses have agreed, in whichever order", async () => {
  for (const order of [0, 1]) {
    const ada = await signUp(server, "Ada");
    const email = newEmail();
    const { data, error } = await ada.client.auth.updateUser({ email });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email: ada.email, new_email: email });
    const current = await newestTo(server, ada.email, "email-change-current");
    const next = await newestTo(server, email, "email-change-new");
    const [first, second] = order ? [current, next] : [next, current];

    const half = await follow(server, first.url);
    expect(half.fragment.message).toContain("proceed to confirm link sent to the other email");
    expect(await emailOf(ada)).toBe(ada.email);
    const whole = await follow(server, second.url);
    expect(whole.fragment.type).toBe("email_change");
    expect(await emailOf(ada)).toBe(email);
  }
});

test("the codes of both emails confirm the change as well, and the new address signs in", async () => {
  const ada = await signUp(server, "Ada");
  const email = newEmail();
  await ada.client.auth.updateUser({ email });
  const current = await newestTo(server, ada.email, "email-change-current");
  const next = await newestTo(server, email);
  const half = await server.client().auth.verifyOtp({ email: ada.email, token: current.code, type: "email_change" });
  expect(half).toMatchObject({ data: { session: null, user: null }, error: null });
  const whole = await server.client().auth.verifyOtp({ email, token: next.code, type: "email_change" });
  expect(whole.data.user).toMatchObject({ email, identities: [{ identity_data: { email } }] });
  expect(whole.data.user?.new_email).toBeUndefined();
  const signedIn = await server.client().auth.signInWithPassword({ email, password: ada.password });
  expect(signedIn.data.user?.id).toBe(ada.id);
});

test("an agreement to one change does not count for the next", async () => {
  const ada = await signUp(server, "Ada");
  const [hers, stolen] = [newEmail(), newEmail()];
  await ada.client.auth.updateUser({ email: hers });
  await follow(server, (await newestTo(server, ada.email, "email-change-current")).url);
  await ada.client.auth.updateUser({ email: stolen });
  await follow(server, (await newestTo(server, stolen)).url);
  expect(await emailOf(ada)).toBe(ada.email);
});

test("another account's address is answered like any other, and gets no email", async () => {
  const [ada, bob] = [await signUp(server, "Ada"), await signUp(server, "Bob")];
  const before = await enqueuedTo(server, bob.email);
  const { data, error } = await ada.client.auth.updateUser({ email: bob.email });
  expect([error, data.user?.new_email]).toEqual([null, bob.email]);
  expect(await enqueuedTo(server, bob.email)).toEqual(before);
});

test("an address that someone else took in the meantime is refused in the end", async () => {
  const ada = await signUp(server, "Ada");
  const email = newEmail();
  await ada.client.auth.updateUser({ email });
  const { error: taken } = await server.client().auth.signUp({ email, password: "a good password" });
  expect(taken).toBeNull();
  await follow(server, (await newestTo(server, ada.email, "email-change-current")).url);
  const { fragment } = await follow(server, (await newestTo(server, email, "email-change-new")).url);
  expect(fragment.error_code).toBe("email_exists");
  expect(await emailOf(ada)).toBe(ada.email);
});

test("a change can be requested again, which invalidates the first link", async () => {
  const ada = await signUp(server, "Ada");
  const email = newEmail();
  await ada.client.auth.updateUser({ email });
  const first = await newestTo(server, email);
  expect((await server.client().auth.resend({ type: "email_change", email: ada.email })).error).toBeNull();
  expect((await follow(server, first.url)).fragment.error_code).toBe("otp_expired");
  expect((await follow(server, (await newestTo(server, email)).url)).fragment.message).toBeTruthy();
});

test("a new phone number counts once the code texted to it comes back", async () => {
  const ada = await signUp(server, "Ada");
  const phone = newPhone();
  const { data } = await ada.client.auth.updateUser({ phone: `+${phone}` });
  expect(data.user).toMatchObject({ phone: "", new_phone: phone });
  const { code } = await newestTo(server, `+${phone}`);
  const verified = await server.client().auth.verifyOtp({ phone, token: code, type: "phone_change" });
  expect(verified.data.user).toMatchObject({
    id: ada.id,
    phone,
    app_metadata: { provider: "email", providers: ["email", "phone"] },
  });
  const byPhone = await server.client().auth.signInWithPassword({ phone, password: ada.password });
  expect(byPhone.data.user?.id).toBe(ada.id);
});

test("a session of yesterday needs a mailed code to choose a new password", async () => {
  const ada = await signUp(server, "Ada");
  await aDayPasses(ada);
  const password = "a better password";
  expect((await ada.client.auth.updateUser({ password })).error).toMatchObject({
    status: 400,
    code: "reauthentication_needed",
  });
  expect((await ada.client.auth.reauthenticate()).error).toBeNull();
  const { code } = await newestTo(server, ada.email, "reauthentication");
  const wrong = String((Number(code) + 1) % 1e6).padStart(6, "0");
  expect((await ada.client.auth.updateUser({ password, nonce: wrong })).error).toMatchObject({
    status: 422,
    code: "reauthentication_not_valid",
  });
  expect((await ada.client.auth.updateUser({ password, nonce: code })).error).toBeNull();
  const reused = await ada.client.auth.updateUser({ password: "yet another password", nonce: code });
  expect(reused.error?.code).toBe("reauthentication_not_valid");
});

test("one person's code does not work for another account", async () => {
  const [ada, eve] = [await signUp(server, "Ada"), await signUp(server, "Eve")];
  await aDayPasses(eve);
  await ada.client.auth.reauthenticate();
  const { code } = await newestTo(server, ada.email, "reauthentication");
  const { error } = await eve.client.auth.updateUser({ password: "a better password", nonce: code });
  expect(error?.code).toBe("reauthentication_not_valid");
});

test("the first sign-in from a new kind of device sends its owner one email", async () => {
  const ada = await signUp(server, "Ada");
  const signInWith = async (userAgent: string) => {
    const reply = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": userAgent },
      body: JSON.stringify({ email: ada.email, password: ada.password }),
    });
    expect(reply.status).toBe(200);
  };
  const phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1";
  await signInWith(phone);
  await signInWith(phone.replaceAll("18", "19"));
  await ada.client.auth.signInWithPassword(ada);
  const owed = await enqueuedTo(server, ada.email);
  expect(owed.map(({ template, props }) => [template, props.device])).toEqual([
    ["welcome", undefined],
    ["new-sign-in", "Safari, iPhone"],
  ]);
});

test("an update of one's own account keeps every field that was not sent; a null value removes a field", async () => {
  const ada = await signUp(server, "Ada");
  const update = async (change: UserAttributes) => {
    const { data, error } = await ada.client.auth.updateUser(change);
    expect(error).toBeNull();
    return data.user;
  };
  await update({ data: { town: "Bari", nested: { a: 1, b: 2 } } });
  const before = await update({});
  expect(before).toMatchObject({ email: ada.email, user_metadata: { full_name: "Ada", town: "Bari" } });
  const email = `${randomUUID()}@example.com`;
  expect(await update({ email })).toMatchObject({ new_email: email, user_metadata: before?.user_metadata });
  // The other change neither cancels nor repeats the pending one.
  const changed = await update({ data: { town: null, nested: { a: 3 } } });
  expect(changed).toMatchObject({ email: ada.email, new_email: email, phone: before?.phone });
  expect(changed?.user_metadata).toEqual({ ...before?.user_metadata, town: undefined, nested: { a: 3 } });
  expect(await update({ password: "quite another password" })).toMatchObject({
    new_email: email,
    user_metadata: changed?.user_metadata,
    app_metadata: before?.app_metadata,
  });
});
