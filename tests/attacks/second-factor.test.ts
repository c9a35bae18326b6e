import { expect, test } from "vitest";
import { type Person, signUp } from "../support/people.ts";
import { codeOf, protect } from "../support/second-factor.ts";
import { testServer } from "../support/server.ts";
import { newMemory } from "../support/sharing.ts";

const server = await testServer({}, undefined, { sandboxes: true });
const call = (person: Pick<Person, "token">, name: string, body: object) =>
  fetch(`${server.url}/functions/v1/${name}`, {
    method: "POST",
    headers: { authorization: `Bearer ${person.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

test("a password without the second factor cannot read, export or delete an account", async () => {
  const ada = await signUp(server, "Ada");
  const made = await newMemory(ada.client, { person_name: "Grandmother" });
  const app = await protect(server, ada);
  const client = server.client();
  const { data } = await client.auth.signInWithPassword({ email: ada.email, password: ada.password });
  const half = { token: data.session?.access_token ?? "" };

  expect((await client.from("memories").select()).data).toEqual([]);
  expect((await client.from("profiles").select()).data).toEqual([]);
  expect((await client.from("memories").insert({ person_name: "Somebody" })).error?.code).toBe("42501");
  for (const [name, body] of [
    ["my-data", {}],
    ["delete-account", { password: ada.password }],
  ] as const) {
    expect((await call(half, name, body)).status).toBe(401);
  }

  const { error } = await client.auth.mfa.challengeAndVerify({ factorId: app.id, code: codeOf(app.secret) });
  expect(error).toBeNull();
  expect((await client.from("memories").select("id")).data).toEqual([{ id: made.id }]);
});

test("signed URLs made after the second factor keep their rights", async () => {
  const ada = await signUp(server, "Ada");
  await protect(server, ada);
  const memory = await newMemory(ada.client, { person_name: "Grandmother" });
  const path = `${memory.id}/${crypto.randomUUID()}.gif`;
  const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
  const stored = await ada.client.storage.from("media").upload(path, pixel, { contentType: "image/gif" });
  expect(stored.error).toBeNull();
  const { data: link } = await ada.client.storage.from("media").createSignedUrl(path, 60);
  expect((await fetch(link?.signedUrl ?? "")).status).toBe(200);
});

/** Functions that anonymous callers may use too. A session by password alone gets the same from them. */
const FOR_EVERYBODY = [
  "affiliate-click",
  "decline-invitation",
  "forget-device",
  "invitation-again",
  "open-card",
  "open-letter",
  "open-share",
  "open-wall",
  "payment-webhook",
  "picture-request",
  "report",
  "sign-guest",
  "stop-notices",
  "unsubscribe",
  "verify-turnstile",
];

/** The body for each other function. It names an object of Ada's if she has one of the kind. */
const BODIES: Record<string, (own: { memoryId: string; linkId: string; email: string }) => object> = {
  "calendar-link": ({ memoryId }) => ({ memoryId }),
  "card-status": () => ({ of: "SK-1" }),
  "card-labels": () => ({ cards: ["SK-1"] }),
  "claim-card": () => ({ code: "0123456789AB", secret: "0000-0000-0000" }),
  "create-checkout": () => ({ items: [{ plan_id: "skies-memories", quantity: 1, currency: "GBP" }] }),
  "create-checkout-session": () => ({ items: [{ plan_id: "skies-memories", quantity: 1, currency: "GBP" }] }),
  "delete-account": () => ({}),
  "desk-account": () => ({ act: "sign-in-link", person: crypto.randomUUID(), reason: "X" }),
  "desk-system": () => ({}),
  "engraver-pack": () => ({ order: "SK-1" }),
  "my-data": () => ({}),
  "order-receipt": () => ({ order: crypto.randomUUID() }),
  "prepare-download": ({ memoryId }) => ({ memoryId, archive: true }),
  "refund-order": () => ({ order: "SK-1", amount: 1, reason: "X", request: crypto.randomUUID() }),
  "resend-receipt": () => ({ order: crypto.randomUUID() }),
  "release-card": () => ({ cardId: crypto.randomUUID() }),
  "send-email": ({ email }) => ({ toEmail: email, subject: "Hello", message: "Hello" }),
  "share-pin": ({ linkId }) => ({ linkId, pin: "4711" }),
  "read-share-pin": ({ linkId }) => ({ linkId }),
};

test("every function of an account refuses a session with only the password", async () => {
  const names = server.routes.flatMap((route) => /^POST \/functions\/v1\/([\w-]+)$/.exec(route)?.[1] ?? []);
  expect(names.sort()).toEqual([...FOR_EVERYBODY, ...Object.keys(BODIES)].sort());

  const ada = await signUp(server, "Ada");
  const memory = await newMemory(ada.client, { person_name: "Rosa" });
  const { data: link } = await ada.client.from("share_links").select("id").single();
  await protect(server, ada);
  const { data } = await server.client().auth.signInWithPassword({ email: ada.email, password: ada.password });
  const half = { token: data.session?.access_token ?? "" };
  const own = { memoryId: memory.id, linkId: link?.id, email: ada.email };
  for (const [name, body] of Object.entries(BODIES)) {
    const { status } = await call(half, name, body(own));
    expect([name, status]).toEqual([name, expect.toSatisfy((actual: number) => [401, 403, 404].includes(actual))]);
  }
  for (const name of ["my-data", "prepare-download", "share-pin", "read-share-pin"]) {
    expect([name, (await call(ada, name, BODIES[name]?.(own) ?? {})).ok]).toEqual([name, true]);
  }
});

test("a password alone lists no devices, ends only its own session and changes no account data", async () => {
  const ada = await signUp(server, "Ada");
  await protect(server, ada);
  const client = server.client();
  await client.auth.signInWithPassword({ email: ada.email, password: ada.password });
  expect((await client.rpc("my_sessions")).data).toEqual([]);
  const { data: own } = await ada.client.rpc("my_sessions").throwOnError();
  expect((await client.rpc("end_session", { session_id: own[0].id })).data).toBe(false);
  expect((await client.auth.updateUser({ data: { full_name: "Somebody" } })).error?.code).toBe("insufficient_aal");
  await client.auth.signOut({ scope: "others" });
  await client.auth.signOut({ scope: "global" });
  expect((await ada.client.rpc("my_sessions").throwOnError()).data).toMatchObject([{ id: own[0].id }]);
});
