import { expect, test } from "vitest";
import { signUp } from "../support/people.ts";
import { testServer } from "../support/server.ts";

const server = await testServer();

test("someone who registers is signed in at once", async () => {
  const ada = await signUp(server, "Ada Rossi");
  const { data } = await ada.client.auth.getUser();
  expect(data.user).toMatchObject({ id: ada.id, email: ada.email, user_metadata: { full_name: "Ada Rossi" } });
});
