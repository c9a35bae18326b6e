import { expect, test } from "../support/e2e.ts";
import { newestMail } from "../support/mail-links.ts";
import { signUp } from "../support/people.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");

test("changing the password in a session older than a day requires an emailed code", { tag: "@sample" }, async ({
  server,
  visit,
  expectedErrors,
}) => {
  // The refusal that asks for a code, and a wrong code.
  expectedErrors.push(/auth\/v1\/user.*status of 4\d\d/);
  const ada = await signUp(server, "Ada");
  await server.change((db) =>
    db.query("update auth.sessions set created_at = now() - interval '25 hours' where user_id = $1", [ada.id]),
  );
  const page = await visit({ as: ada });
  await page.goto("/profile");
  const change = `${say("profile:change")}: ${say("account:password")}`;
  await page.getByRole("button", { name: change }).click();
  await page.getByLabel(say("account:newPassword.label")).fill("another chair in the shade");
  await page.getByRole("button", { name: say("profile:save") }).click();
  await expect(page.getByText(say("profile:password.proof", { email: ada.email }))).toBeVisible();
  const { code } = await newestMail(server, ada.email, /^\d{6}$/m);
  await page.getByLabel(say("account:code")).fill(code === "000000" ? "111111" : "000000");
  await page.getByRole("button", { name: say("profile:save") }).click();
  await expect(page.getByRole("alert").first()).toBeVisible();
  await page.getByLabel(say("account:code")).fill(code);
  await page.getByRole("button", { name: say("profile:save") }).click();
  await expect(page.getByText(say("profile:password.saved"), { exact: true })).toBeVisible();

  const again = { email: ada.email, password: "another chair in the shade" };
  expect((await server.client().auth.signInWithPassword(again)).error).toBeNull();
});
