import { expect, test } from "../support/e2e.ts";
import { deskScreens, staffAt, writeToUs } from "../support/screens/desk.ts";
import { codeOf } from "../support/second-factor.ts";
import { textsIn } from "../support/texts.ts";
import { jpeg } from "../support/uploads.ts";

const say = textsIn("en");
const PATHS = [...deskScreens.routes.map((route) => route.replace(/:\w+/, "00000000-0000-4000-8000-000000000000"))];

test("an administrator signs in with a second factor, works by keyboard, and suspends and reinstates a person; nobody else finds the desk", async ({
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
  // Without the second factor, these pages are not found.
  const halfway = await page.context().newPage();
  for (const path of PATHS) {
    await halfway.goto(path);
    await expect(halfway.getByRole("heading", { name: say("layout:notFound.title") })).toBeVisible();
  }
  await halfway.close();
  await page.getByLabel(say("account:code")).fill(codeOf(admin.secret));
  await page.getByRole("button", { name: say("account:factor.submit"), exact: true }).click();
  await expect(page).not.toHaveURL(/login/);

  const requests: string[] = [];
  page.on("request", (request) =>
    requests.push(/\/(?:rest|functions)\/v1\/(?:rpc\/)?desk[\w-]*/.exec(request.url())?.[0] ?? ""),
  );
  await page.goto("/admin");
  await expect(page.getByRole("heading", { name: say("adminOverview:metrics.signUps") })).toBeVisible();
  const figures = requests.filter(Boolean);
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

  // Other people do not find these pages.
  const other = await visit({ as: ada });
  for (const path of PATHS) {
    await other.goto(path);
    await expect(other.getByRole("heading", { name: say("layout:notFound.title") })).toBeVisible();
  }
});

test("support takes a message, answers it by email, and decides on a report without seeing the reported comment", {
  tag: "@sample",
}, async ({ visit, server, person, expectedErrors }) => {
  expectedErrors.push(/status of 404/);
  const [support, ada] = [await staffAt(server, "support"), await person("Ada")];
  const { messageId, reportId } = await writeToUs({ server }, ada);
  const page = await visit({ as: support });
  await page.goto("/admin/inbox");
  await page.getByLabel(say("adminInbox:find")).fill(messageId);
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByRole("link", { name: "A photo is missing" }).click();
  await page.getByLabel(say("adminInbox:assignee")).selectOption(support.id);
  await expect(page.getByLabel(say("adminInbox:state"))).toHaveValue("open");
  await page.getByLabel(say("adminInbox:fields.answer")).fill("It is in the trash.");
  await page.getByRole("button", { name: say("adminInbox:submit.answer") }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "It is in the trash." })).toBeVisible();
  await expect(page.getByLabel(say("adminInbox:state"))).toHaveValue("answered");
  const emails = async () => {
    const reply = await fetch(`${server.url}/sandbox/inbox/messages?to=nia@example.com`);
    return ((await reply.json()) as { messages: object[] }).messages;
  };
  await expect.poll(emails).toContainEqual(
    expect.objectContaining({
      subject: "Re: A photo is missing",
      text: expect.stringContaining("It is in the trash."),
    }),
  );

  await page.goto(`/admin/inbox/${reportId}`);
  await expect(page.getByText("This is about my brother.")).toBeVisible();
  await expect(page.getByText("You never called him.")).toHaveCount(0);
  await expect(page.getByRole("button", { name: say("adminInbox:decisions.suspend.open") })).toHaveCount(0);
  await page.getByRole("button", { name: say("adminInbox:decisions.hide.open") }).click();
  const dialog = page.getByRole("dialog");
  const hide = dialog.getByRole("button", { name: say("adminInbox:decisions.hide.open") });
  await hide.click();
  await expect(dialog.getByText(say("adminInbox:reasonMissing"))).toBeVisible();
  await dialog.getByLabel(say("adminInbox:reason")).fill("It insults his brother");
  await hide.click();
  await expect(page.getByText(say("adminInbox:outcomes.acted"))).toBeVisible();
  expect((await ada.client.from("comments").select("moderation")).data).toEqual([{ moderation: "hidden" }]);
});

test("an editor writes a post, loses nothing at a reload, publishes it, and a visitor reads it", async ({
  visit,
  server,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 404/);
  const page = await visit({ as: await staffAt(server, "editor") });
  const press = (step: string) => page.getByRole("button", { name: say(`adminBlog:${step}`), exact: true }).click();
  const field = (name: string) => page.getByRole("textbox", { name: say(`adminBlog:fields.${name}`), exact: true });
  // An editor's desk consists of the blog.
  await page.goto("/admin");
  await page.getByRole("link", { name: say("adminBlog:new") }).click();
  await press("steps.publish");
  await expect(page.getByText(say("adminBlog:wrong.summary"))).toBeVisible();
  await field("title").fill("Perché: a letter a year");
  await expect(field("slug")).toHaveValue("perche-a-letter-a-year");
  await field("summary").fill("Write one each birthday.");
  await press("markdown.open");
  await page
    .getByRole("textbox", { name: say("adminBlog:markdown.field"), exact: true })
    .fill("## Begin\n\nWith the *weather*.<script>alert(1)</script>");
  await press("markdown.use");
  await expect(field("body").getByRole("heading", { name: "Begin" })).toBeVisible();
  await page.reload();
  await expect(page.getByText(say("adminBlog:found"))).toBeVisible();
  await expect(field("body").getByRole("heading", { name: "Begin" })).toBeVisible();
  const choose = page.getByLabel(say("adminBlog:cover.choose")).and(page.locator("input"));
  const alt = page.getByRole("textbox", { name: say("adminBlog:cover.alt") });
  await choose.setInputFiles({ name: "notes.txt", mimeType: "image/jpeg", buffer: Buffer.from("No picture") });
  await expect(page.getByText(say("adminBlog:cover.problem.type"))).toBeVisible();
  await choose.setInputFiles({ name: "letters.jpg", mimeType: "image/jpeg", buffer: await jpeg(1200, 800) });
  await alt.fill("A stack of letters");
  await press("cover.remove");
  await expect(alt).toBeHidden();
  await page.getByText(say("adminBlog:undo"), { exact: true }).click();
  await expect(alt).toHaveValue("A stack of letters");
  const cover = { name: "A stack of letters" };
  await expect(page.getByRole("img", cover)).toHaveJSProperty("complete", true);
  await press("steps.saveDraft");
  await expect(page).toHaveURL(/blog\/perche-a-letter-a-year/);
  await expect(page.getByText(say("adminBlog:savedHint"))).toBeVisible();
  await field("summary").fill("Write one every birthday.");
  await press("steps.preview");
  await expect(page.getByRole("article").getByText("Write one every birthday.")).toBeVisible();
  await expect(page.getByRole("article").getByRole("img", cover)).not.toHaveJSProperty("naturalWidth", 0);
  await press("steps.publish");
  await expect(page.getByText(say("adminBlog:states.published"), { exact: true }).first()).toBeVisible();

  const visitor = await visit();
  await expect(async () => {
    await visitor.goto("/blog/perche-a-letter-a-year");
    await expect(visitor.getByRole("heading", { name: "Perché: a letter a year" })).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(visitor.getByText("Write one every birthday.")).toBeVisible();
  await expect(visitor.getByRole("img", cover)).not.toHaveJSProperty("naturalWidth", 0);

  await press("revisions.read");
  await expect(page.getByRole("dialog").getByText("Write one each birthday.")).toBeVisible();
  await press("revisions.restore");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(field("summary")).toHaveValue("Write one each birthday.");
  await press("steps.delete");
  await expect(page.getByRole("link", { name: say("adminBlog:new") })).toBeVisible();
  const row = page.getByRole("row").filter({ hasText: "perche-a-letter-a-year" });
  await expect(row).toHaveCount(0);
  await press("undo");
  await expect(row.getByText(say("adminBlog:states.published"), { exact: true })).toBeVisible();
});
