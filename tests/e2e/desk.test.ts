import { expect, test } from "../support/e2e.ts";
import { deskScreens, staffAt } from "../support/screens/desk.ts";
import { codeOf } from "../support/second-factor.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");
const PATHS = [...deskScreens.routes.map((route) => route.replace(":id", "00000000-0000-4000-8000-000000000000"))];

test("an administrator comes in with a second factor, works by the keyboard, and suspends and lets back a person", async ({
  visit,
  server,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 40[0134]/);
  const [admin, ada] = [await staffAt(server, "admin"), await person("Ada Zephyr")];
  const page = await visit();
  await page.goto("/login");
  await page.getByLabel(say("account:email")).fill(admin.email);
  await page.getByLabel(say("account:password"), { exact: true }).fill(admin.password);
  await page.getByRole("button", { name: say("account:login.submit"), exact: true }).click();
  await expect(page.getByRole("heading", { name: say("account:factor.title") })).toBeVisible();
  // Before the second factor there is nothing here.
  const halfway = await page.context().newPage();
  for (const path of PATHS) {
    await halfway.goto(path);
    await expect(halfway.getByRole("heading", { name: say("layout:notFound.title") })).toBeVisible();
  }
  await halfway.close();
  await page.getByLabel(say("account:code")).fill(codeOf(admin.secret));
  await page.getByRole("button", { name: say("account:factor.submit"), exact: true }).click();
  await expect(page).not.toHaveURL(/login/);

  const asked: string[] = [];
  page.on("request", (request) =>
    asked.push(/\/(?:rest|functions)\/v1\/(?:rpc\/)?desk[\w-]*/.exec(request.url())?.[0] ?? ""),
  );
  await page.goto("/admin");
  await expect(page.getByRole("heading", { name: say("adminOverview:metrics.signUps") })).toBeVisible();
  const figures = asked.filter(Boolean);
  expect(figures.length, `the overview asks at most five times: ${figures}`).toBeLessThanOrEqual(5);

  await page.getByRole("link", { name: say("admin:sections.people"), exact: true }).click();
  await expect(page.getByRole("link", { name: "Ada Zephyr" })).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: say("admin:keys.title") })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.keyboard.press("/");
  await page.keyboard.type("zeph ada");
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.keyboard.press("Tab");
  await page.getByRole("radio", { name: say("adminPeople:kind.all") }).blur();
  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: "Ada Zephyr" })).toBeFocused();
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");

  const act = async (name: "suspend" | "let_back") => {
    await page.getByRole("button", { name: say(`adminPeople:acts.${name}.open`), exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(say("adminPeople:acts.reason")).fill("Asked to");
    await dialog.getByRole("button", { name: say(`adminPeople:acts.${name}.submit`), exact: true }).click();
    await expect(dialog).toBeHidden();
  };
  await act("suspend");
  await expect(page.getByText(say("adminPeople:suspended"), { exact: true })).toBeVisible();
  expect((await ada.client.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
  await act("let_back");
  expect((await ada.client.auth.signInWithPassword(ada)).error).toBeNull();
  await page.getByRole("link", { name: say("adminPeople:audit") }).click();
  await expect(page.getByText("person.let_back")).toBeVisible();

  // Others find nothing, and the server gives them nothing.
  const other = await visit({ as: ada });
  for (const path of PATHS) {
    await other.goto(path);
    await expect(other.getByRole("heading", { name: say("layout:notFound.title") })).toBeVisible();
  }
});
