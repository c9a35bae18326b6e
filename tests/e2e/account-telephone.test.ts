import { randomInt } from "node:crypto";
import { expect, test } from "../support/e2e.ts";
import { newestText } from "../support/mail-links.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");

test("a telephone is set up as second factor, and its texted code signs in", { tag: "@sample" }, async ({
  visit,
  person,
  server,
  expectedErrors,
}) => {
  // A wrong code; and after the right one, requests with the old token until the new one arrives.
  expectedErrors.push(
    /factors\/.*\/verify.*status of 422/,
    /rpc\/storage_(use|stats).*status of 403/,
    /notices.*may not be read/,
  );
  const number = `+4477009${randomInt(10_000, 100_000)}`;
  const ada = await person("Ada");
  const page = await visit({ as: ada });
  await page.goto("/profile#factors");
  await page.getByRole("button", { name: say("profile:factors.addPhone") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(say("profile:phone.label")).fill(number);
  await dialog.getByRole("button", { name: say("profile:phone.submit") }).click();
  await expect(dialog.getByText(say("profile:phone.sent", { phone: number }))).toBeVisible();
  const first = await newestText(server, number);
  await dialog.getByLabel(say("account:code")).fill(first);
  await dialog.getByRole("button", { name: say("profile:factors.confirm") }).click();
  await expect(page.getByText(say("profile:factors.added"), { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: say("profile:factors.removeOne", { name: number }) })).toBeVisible();

  await page.getByRole("button", { name: say("layout:signOut"), exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: say("account:login.title") })).toBeVisible();
  await page.getByLabel(say("account:email")).fill(ada.email);
  await page.getByLabel(say("account:password"), { exact: true }).fill(ada.password);
  await page.getByRole("button", { name: say("account:login.submit") }).click();
  await expect(page.getByRole("heading", { name: say("account:factor.title") })).toBeVisible();
  await expect(page.getByText(say("account:factor.phone"))).toBeVisible();
  await page.getByRole("button", { name: say("account:factor.send") }).click();
  const code = page.getByLabel(say("account:code"));
  await expect(code).toBeFocused();
  // The code that confirmed the telephone number is used up.
  await code.fill(first);
  await page.getByRole("button", { name: say("account:factor.submit"), exact: true }).click();
  await expect(page.getByText(say("account:refusal.wrongCode"))).toBeVisible();
  await expect.poll(() => newestText(server, number)).not.toBe(first);
  await code.fill(await newestText(server, number));
  await page.getByRole("button", { name: say("account:factor.submit"), exact: true }).click();
  await expect(page.getByText(say("memories:list.emptyTitle"))).toBeVisible();
});
