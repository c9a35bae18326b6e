import { expect, test } from "vitest";
import { type Person, signUp } from "../support/people.ts";
import { codeOf, protect } from "../support/second-step.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();
const call = (person: Pick<Person, "token">, name: string, body: object) =>
  fetch(`${server.url}/functions/v1/${name}`, {
    method: "POST",
    headers: { authorization: `Bearer ${person.token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

test("whoever has only the password of a protected account reads, takes along and deletes nothing", async () => {
  const ada = await signUp(server, "Ada");
  const { data: made } = await ada.client.from("memories").insert({ person_name: "Grandmother" }).select().single();
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
  expect((await client.from("memories").select("id")).data).toEqual([{ id: made?.id }]);
});

test("links to stored files that were made after the second step go on speaking for it", async () => {
  const ada = await signUp(server, "Ada");
  await protect(server, ada);
  const { data: memory } = await ada.client.from("memories").insert({ person_name: "Grandmother" }).select().single();
  const path = `${memory?.id}/${crypto.randomUUID()}.gif`;
  const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
  const stored = await ada.client.storage.from("media").upload(path, pixel, { contentType: "image/gif" });
  expect(stored.error).toBeNull();
  const { data: link } = await ada.client.storage.from("media").createSignedUrl(path, 60);
  expect((await fetch(link?.signedUrl ?? "")).status).toBe(200);
});
