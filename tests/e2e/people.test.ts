import { expectAccessible } from "../support/accessibility.ts";
import { expect, test } from "../support/e2e.ts";
import { invitationTo, makeMemory } from "../support/inviting.ts";
import { wordsIn } from "../support/texts.ts";

const PASSWORD = "a chair in the garden";

for (const language of ["en", "it"] as const) {
  const say = wordsIn(language);

  test(`somebody is invited by email, registers, is given more, becomes the owner, and the first owner leaves (${language})`, async ({
    visit,
    person,
    server,
  }) => {
    const ada = await person("Ada Rossi");
    const memoryId = await makeMemory(ada, "Nonna Maria");
    const bob = `bob.${crypto.randomUUID().slice(0, 8)}@example.com`;

    const hers = await visit({ as: ada, language, viewport: { width: 1440, height: 900 } });
    await hers.goto(`/memory/${memoryId}`);
    await hers.getByRole("button", { name: say("people:open"), exact: true }).click();
    await hers.getByLabel(say("people:invite.email")).fill("bob");
    await hers.getByRole("button", { name: say("people:invite.submit") }).click();
    await expect(hers.getByText(say("people:errors.format"))).toBeVisible();
    await hers.getByLabel(say("people:invite.email")).fill(bob);
    await hers.getByLabel(say("people:invite.note")).fill("Come & <look>");
    await hers.getByRole("button", { name: say("people:invite.submit") }).click();
    await expect(hers.getByText(say("people:sent.background"), { exact: true })).toBeVisible();
    await expect(hers.getByText(bob)).toBeVisible();
    await expectAccessible(hers);

    const letter = await invitationTo(server, bob);
    expect(letter.text).toContain("Come & <look>");
    expect(letter.text).toContain("She knew every tree");
    expect(letter.shared).toMatch(/\/shared\/\w+/);
    const his = await visit({ language, viewport: { width: 390, height: 844 } });
    await his.goto(letter.register);
    await expect(his.getByLabel(say("account:email"))).toHaveValue(bob);
    await his.getByLabel(say("account:fullName")).fill("Bob Verdi");
    await his.getByLabel(say("account:password"), { exact: true }).fill(PASSWORD);
    await his.getByRole("button", { name: say("account:register.submit") }).click();
    const title = say("people:mine.invites", { inviter: "Ada Rossi", name: "Nonna Maria" });
    await expect(his.getByRole("heading", { name: title })).toBeVisible();
    await expectAccessible(his);
    await his.goto(`/memory/${memoryId}`);
    await expect(his.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await his.getByRole("button", { name: say("people:mine.open"), exact: true }).click();
    await expect(his.getByRole("heading", { level: 1, name: "Nonna Maria" })).toBeVisible();

    await hers.getByRole("button", { name: say("people:person.menu", { name: "Bob Verdi" }) }).click();
    await hers.getByRole("menuitemradio", { name: say("people:roles.co-owner") }).click();
    await expect(his.getByRole("button", { name: say("memories:page.edit"), exact: true })).toBeVisible();
    await hers.getByRole("button", { name: say("people:person.menu", { name: "Bob Verdi" }) }).click();
    await hers.getByRole("menuitem", { name: say("people:handover.offer") }).click();
    await hers.getByRole("button", { name: say("people:handover.confirm"), exact: true }).click();
    await expect(hers.getByText(say("people:handover.offered", { name: "Bob Verdi" }))).toBeVisible();
    await expect(
      his.getByRole("heading", { name: say("people:handover.toYouFrom", { name: "Ada Rossi" }) }),
    ).toBeVisible();
    await expectAccessible(his);
    await his.getByRole("button", { name: say("people:handover.accept"), exact: true }).click();
    await expect(his.getByText(say("people:handover.accepted"), { exact: true })).toBeVisible();

    await hers.getByRole("button", { name: say("people:leave.action") }).click();
    await expect(hers.getByText(say("people:leave.text"))).toBeVisible();
    await hers.getByRole("button", { name: say("people:leave.confirm"), exact: true }).click();
    await expect(hers.getByText(say("memories:list.emptyTitle"))).toBeVisible();

    await his.goto(letter.unsubscribe);
    await his.getByRole("button", { name: say("people:unsubscribe.action") }).click();
    await expect(his.getByRole("heading", { name: say("people:unsubscribe.done", { email: bob }) })).toBeVisible();
    await expectAccessible(his);
    await his.goto("/profile");
    await expect(his.getByRole("switch", { name: say("profile:wishes.label") })).not.toBeChecked();
  });
}
