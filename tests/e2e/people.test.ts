import { expect, test } from "../support/e2e.ts";
import { invitationTo, makeMemory } from "../support/inviting.ts";
import { newRow } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

/** She reads Italian, and he English. */
const [sayHer, sayHim] = [textsIn("it"), textsIn("en")];
const PASSWORD = "a chair in the garden";

test("a person invited by email registers, becomes co-owner and then owner, and the first owner leaves", async ({
  visit,
  person,
  server,
}) => {
  const ada = await person("Ada Rossi");
  const memoryId = await makeMemory(ada, "Nonna Maria");
  const bob = `bob.${crypto.randomUUID().slice(0, 8)}@example.com`;

  const hers = await visit({ as: ada, language: "it", viewport: { width: 1440, height: 900 } });
  await hers.goto(`/memory/${memoryId}`);
  await hers.getByRole("button", { name: sayHer("people:open"), exact: true }).click();
  await hers.getByLabel(sayHer("people:invite.email")).fill("bob");
  await hers.getByRole("button", { name: sayHer("people:invite.submit") }).click();
  await expect(hers.getByText(sayHer("people:errors.format"))).toBeVisible();
  await hers.getByLabel(sayHer("people:invite.email")).fill(bob);
  await hers.getByLabel(sayHer("people:invite.note")).fill("Come & <look>");
  await hers.getByRole("button", { name: sayHer("people:invite.submit") }).click();
  await expect(hers.getByText(sayHer("people:sent.background"), { exact: true })).toBeVisible();
  // F8 moves the focus to a toast over an open window, and the window has the focus again afterwards.
  const toasts = hers.getByRole("region", { name: "F8" });
  await hers.keyboard.press("F8");
  await expect(toasts.getByRole("list")).toBeFocused();
  await hers.keyboard.press("Tab");
  await expect(toasts.locator("li")).toBeFocused();
  await hers.keyboard.press("Tab");
  await expect(toasts.getByRole("button")).toBeFocused();
  await hers.keyboard.press("Escape");
  await expect(hers.getByText(sayHer("people:sent.background"), { exact: true })).toHaveCount(0);
  await hers.keyboard.press("Tab");
  await expect(hers.getByRole("dialog").locator(":focus")).toHaveCount(1);
  await hers.getByLabel(sayHer("people:invite.email")).focus();
  await expect(hers.getByRole("tooltip")).toHaveCount(0);
  await expect(hers.getByText(bob)).toBeVisible();

  const email = await invitationTo(server, bob);
  expect(email.text).toContain("Come & <look>");
  expect(email.text).toContain("She knew every tree");
  expect(email.shared).toMatch(/\/shared\/\w+/);
  const his = await visit({ viewport: { width: 390, height: 844 } });
  await his.goto(email.register);
  await expect(his.getByLabel(sayHim("account:email"))).toHaveValue(bob);
  await his.getByLabel(sayHim("account:fullName")).fill("Bob Verdi");
  await his.getByLabel(sayHim("account:password"), { exact: true }).fill(PASSWORD);
  await his.getByRole("button", { name: sayHim("account:register.submit") }).click();
  const title = sayHim("people:mine.invites", { inviter: "Ada Rossi", name: "Nonna Maria" });
  await expect(his.getByRole("heading", { name: title })).toBeVisible();
  await his.goto(`/memory/${memoryId}`);
  await expect(his.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await his.getByRole("button", { name: sayHim("people:mine.open"), exact: true }).click();
  await expect(his.getByRole("heading", { level: 1, name: "Nonna Maria" })).toBeVisible();
  // He finds the memory in his own list.
  await his.goto("/");
  const shared = his.getByRole("region", { name: sayHim("memories:list.shared") });
  await shared.getByRole("link", { name: "Nonna Maria" }).click();
  await expect(his.getByRole("heading", { level: 1, name: "Nonna Maria" })).toBeVisible();

  await hers.getByRole("button", { name: sayHer("people:person.menu", { name: "Bob Verdi" }) }).click();
  await hers.getByRole("menuitemradio", { name: sayHer("people:roles.co-owner") }).click();
  await his.getByRole("button", { name: sayHim("memories:page.more"), exact: true }).click();
  await expect(his.getByRole("button", { name: sayHim("memories:page.edit"), exact: true })).toBeVisible();
  await hers.getByRole("button", { name: sayHer("people:person.menu", { name: "Bob Verdi" }) }).click();
  await hers.getByRole("menuitem", { name: sayHer("people:handover.offer") }).click();
  await hers.getByRole("button", { name: sayHer("people:handover.confirm"), exact: true }).click();
  await expect(hers.getByText(sayHer("people:handover.offered", { name: "Bob Verdi" }))).toBeVisible();
  await expect(
    his.getByRole("heading", { name: sayHim("people:handover.toYouFrom", { name: "Ada Rossi" }) }),
  ).toBeVisible();
  await his.getByRole("button", { name: sayHim("people:handover.accept"), exact: true }).click();
  await expect(his.getByText(sayHim("people:handover.accepted"), { exact: true })).toBeVisible();

  await hers.getByRole("button", { name: sayHer("people:leave.action") }).click();
  await expect(hers.getByText(sayHer("people:leave.text"))).toBeVisible();
  await hers.getByRole("button", { name: sayHer("people:leave.confirm"), exact: true }).click();
  await expect(hers.getByText(sayHer("memories:list.emptyTitle"))).toBeVisible();

  // An invitation appears while she looks, and disappears when it is withdrawn.
  const gina = await person("Gina");
  const asked = { memory_id: await makeMemory(gina, "Zia Pia"), email: ada.email, role: "viewer" };
  const open = await newRow(gina.client, "invitations", asked);
  const invited = hers.getByRole("heading", {
    name: sayHer("people:mine.invites", { inviter: "Gina", name: "Zia Pia" }),
  });
  await expect(invited).toBeVisible();
  await gina.client.from("invitations").update({ state: "withdrawn" }).eq("id", open.id).throwOnError();
  await expect(invited).toHaveCount(0);

  await his.goto(email.unsubscribe);
  await his.getByRole("button", { name: sayHim("people:unsubscribe.action") }).click();
  await expect(his.getByRole("heading", { name: sayHim("people:unsubscribe.done", { email: bob }) })).toBeVisible();
  await his.goto("/profile");
  await expect(his.getByRole("switch", { name: sayHim("profile:wishes.label") })).not.toBeChecked();
});
