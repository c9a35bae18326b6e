import { expect, test } from "../support/e2e.ts";
import { newRow } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const [en, it] = [textsIn("en"), textsIn("it")];

test("Spec §4: what comes by a moderated link waits for a yes, is hidden and shown live, and the person who is blocked is gone", async ({
  visit,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(/the server responded with a status of 40[13]/);
  const [ada, eve] = [await person("Ada"), await person("Eve")];
  const made = await newRow(ada.client, "memories", { person_name: "Rosa" });
  const memory = made.id;
  const link = { memory_id: memory, rights: "comment", moderated: true, label: "Cousins" };
  const shared = await newRow(ada.client, "share_links", link, "share_id");
  const gate = `/shared/${shared.share_id}`;
  const [owner, phone, guest] = [
    await visit({ as: ada }),
    await visit({ as: eve, language: "it", viewport: { width: 360, height: 740 } }),
    await visit({ viewport: { width: 360, height: 740 } }),
  ];
  await Promise.all([owner.goto("/"), phone.goto(gate), guest.goto(gate)]);
  const talk = phone.getByRole("region", { name: it("comments:title") });
  const say = async (text: string) => {
    await talk.getByLabel(it("comments:write.label")).fill(text);
    await phone.keyboard.press("Control+Enter");
    await expect(talk.getByText(text)).toBeVisible();
  };
  await say("Una");
  await say("Due");
  await expect(talk.getByText(it("comments:read.held"))).toHaveCount(2);

  // The list says so, the memory's page too; one key decides, another takes it back.
  await owner.reload();
  await expect(owner.getByText(en("memories:list.waiting", { count: 2 }))).toBeVisible();
  await owner.getByRole("link", { name: "Rosa" }).click();
  await owner.getByRole("link", { name: en("moderation:openWith", { count: 2 }) }).click();
  const items = owner.getByRole("article");
  await expect(items).toHaveCount(2);
  await expect(items.first()).toContainText("Eve");
  await expect(items.first()).toContainText("Cousins");
  await owner.keyboard.press("a");
  await expect(guest.getByText("Una")).toBeVisible();
  await expect(items).toHaveCount(1);
  await expect(items.first()).toBeFocused();
  await owner.keyboard.press("h");
  await expect(owner.getByText(en("moderation:noneTitle"))).toBeVisible();
  await owner.keyboard.press("u");
  await expect(items).toHaveCount(1);
  await owner.keyboard.press("h");
  await expect(items).toHaveCount(0);
  await owner.getByRole("radio", { name: en("moderation:hidden") }).check();
  await expect(items).toHaveCount(1);
  await items.getByRole("button", { name: en("moderation:approve") }).click();
  await expect(guest.getByText("Due")).toBeVisible();

  // Hidden where it is, it leaves the page of somebody who can not learn of the row itself.
  await owner.getByRole("link", { name: en("moderation:back", { name: "Rosa" }) }).click();
  const mine = owner.getByRole("listitem").filter({ hasText: "Due" });
  await mine.getByRole("button", { name: en("comments:read.more", { name: "Eve" }) }).click();
  await owner.getByRole("menuitem", { name: en("comments:read.hide"), exact: true }).click();
  await expect(guest.getByText("Due")).toHaveCount(0);

  // A visitor reports; a manager blocks, and the share gate knows them no more.
  await guest.getByRole("button", { name: en("reports:open") }).click();
  await guest.getByLabel(en("reports:reasons.private")).check();
  await guest.getByRole("button", { name: en("reports:submit") }).click();
  await expect(guest.getByText(en("reports:sentTitle"))).toBeVisible();
  await say("Tre");
  await owner.getByRole("link", { name: en("moderation:openWith", { count: 1 }) }).click();
  await expect(owner.getByRole("heading", { level: 1, name: en("moderation:title") })).toBeVisible();
  await expect(items).toHaveCount(1);
  await owner.keyboard.press("b");
  await expect(owner.getByText(en("moderation:blocked", { name: "Eve" }), { exact: true })).toBeVisible();
  await expect(phone.getByLabel(it("shareGate:pin.digit", { number: 1 }))).toBeVisible();
  await expect(phone.getByText(it("shareGate:open.closed"))).toBeVisible();
  await expect(guest.getByText("Una")).toHaveCount(0);
});
