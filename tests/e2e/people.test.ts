import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessibility.ts";
import { dateField, fillDate } from "../support/date-field.ts";
import { expect, test } from "../support/e2e.ts";
import { memoryWith, tiles, toGallery } from "../support/gallery.ts";
import { invitationTo, makeMemory, pasteText } from "../support/inviting.ts";
import { photoPaths } from "../support/photos.ts";
import { newRow } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

/** She reads Italian, and he English. */
const [sayHer, sayHim] = [textsIn("it"), textsIn("en")];
const PASSWORD = "a chair in the garden";

test("Spec §8: an invitation is listed as being sent, and as not confirmed if its answer was lost", async ({
  visit,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(/net::ERR_FAILED/);
  const ada = await person("Ada Rossi");
  const memoryId = await makeMemory(ada, "Nonna Maria");
  const page = await visit({ as: ada });
  let loseAnswer = () => {};
  const lost = new Promise<void>((resolve) => {
    loseAnswer = resolve;
  });
  await page.route("**/send-email", (route) => lost.then(() => route.abort()));
  await page.goto(`/memory/${memoryId}`);
  await page.getByRole("button", { name: sayHim("people:open"), exact: true }).click();
  await page.getByLabel(sayHim("people:invite.email")).fill("bob@example.com");
  await page.getByRole("button", { name: sayHim("people:invite.submit") }).click();
  const role = sayHim("people:roles.viewer");
  await expect(page.getByText(sayHim("people:invitations.beingSent", { role }))).toBeVisible();
  loseAnswer();
  await expect(page.getByText("Invitation sent", { exact: true })).toBeVisible();
  const notConfirmed = page.getByText(sayHim("people:invitations.notConfirmed", { role }));
  await expect(notConfirmed).toBeVisible();
  await page.reload();
  await page.getByRole("button", { name: sayHim("people:open"), exact: true }).click();
  await expect(notConfirmed).toBeVisible();
});

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
  await his.keyboard.press("Escape");
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
  const invitation = { memory_id: await makeMemory(gina, "Zia Pia"), email: ada.email, role: "viewer" };
  const open = await newRow(gina.client, "invitations", invitation);
  const invited = hers.getByRole("heading", {
    name: sayHer("people:mine.invites", { inviter: "Gina", name: "Zia Pia" }),
  });
  await expect(invited).toBeVisible();
  await gina.client.from("invitations").update({ state: "withdrawn" }).eq("id", open.id).throwOnError();
  await expect(invited).toHaveCount(0);

  await his.goto(email.unsubscribe);
  await his.getByRole("button", { name: sayHim("people:unsubscribe.action") }).click();
  await expect(his.getByRole("heading", { name: sayHim("people:unsubscribe.done", { email: bob }) })).toBeVisible();
  await his.goto("/profile#wishes");
  await expect(his.getByRole("switch", { name: sayHim("profile:wishes.label") })).not.toBeChecked();
});

test("several people are invited from the share window by a pasted list, in the language of the email", async ({
  visit,
  person,
  server,
}) => {
  const ada = await person("Ada Rossi");
  const memoryId = await makeMemory(ada, "Nonna Maria");
  const [anna, zia] = ["anna", "zia"].map((name) => `${name}.${crypto.randomUUID().slice(0, 8)}@example.com`);
  const page = await visit({ as: ada });
  await page.goto(`/memory/${memoryId}`);
  await page.getByRole("button", { name: sayHim("sharing:share"), exact: true }).click();
  await page.getByRole("button", { name: sayHim("sharing:invite.title") }).click();
  const field = page.getByLabel(sayHim("people:invite.email"), { exact: true });
  await pasteText(field, `Anna <${anna}>; luca@\n"Bianchi, Zia" <\u200b${zia}>`);
  await expect(page.getByText(sayHim("people:invite.invalid_one", { list: "luca@" }))).toBeVisible();
  await expect(field).toHaveValue("luca@");
  for (const email of [anna, zia]) {
    await expect(page.getByRole("button", { name: sayHim("people:invite.removeRecipient", { email }) })).toBeVisible();
  }
  await field.fill("");
  await page.getByRole("radio", { name: sayHim("people:roles.contributor") }).check();
  await page.getByRole("radio", { name: "Italiano" }).last().check();
  await page.getByRole("button", { name: sayHim("people:invite.submitMany", { count: 2 }) }).click();
  for (const email of [anna, zia]) {
    await expect(page.getByRole("button", { name: sayHim("people:invitations.menu", { email }) })).toBeVisible();
    expect((await invitationTo(server, String(email))).text).toContain(sayHer("people:letter.memoryOpen"));
  }
  const { data } = await ada.client.from("invitations").select("role,language").eq("memory_id", memoryId);
  expect(data).toEqual(Array(2).fill({ role: "contributor", language: "it" }));
});

test("two managers who change a memory, a moment and a caption at once lose nothing", async ({
  visit,
  person,
  server,
  expectedErrors,
}) => {
  // The refused update, after which the page merges or asks, and what a page requests without a network.
  expectedErrors.push(/status of 409/, /ERR_INTERNET_DISCONNECTED/);
  const [ada, carla] = [await person("Ada"), await person("Carla")];
  const memory = await memoryWith(ada, await photoPaths("canon.jpg"), { birth_date: "1912" });
  await server.change((db) =>
    db.query("insert into memory_members (memory_id, user_id, role) values ($1, $2, 'co-owner')", [
      memory.id,
      carla.id,
    ]),
  );
  const { data: entry } = await ada.client
    .from("memory_entries")
    .insert({ memory_id: memory.id, title: "Wedding", on_date: "1944", place: "Torno" })
    .select("id")
    .single()
    .throwOnError();
  const stored = async (columns: string) =>
    (await ada.client.from("memories").select(columns).eq("id", memory.id).single().throwOnError()).data;
  const moment = async () =>
    (await ada.client.from("memory_entries").select("title,on_date,place").eq("id", entry.id).single()).data;
  const pages = [await visit({ as: ada }), await visit({ as: carla })] as const;
  const [hers, his] = pages;
  const choice = (name: "useMine" | "useTheirs" | "useBoth") =>
    his.getByRole("button", { name: sayHim(`conflict:${name}`) });

  // Different fields of the memory: both changes stay, and nobody is asked.
  for (const page of pages) {
    await page.goto(`/memory/${memory.id}`);
    await page.getByRole("button", { name: sayHim("memories:page.edit"), exact: true }).click();
  }
  const save = (page: Page) => page.getByRole("button", { name: sayHim("memories:page.save"), exact: true }).click();
  await fillDate(dateField(hers, sayHim("memories:fields.birth")), sayHim, { year: "1921" });
  await save(hers);
  await expect.poll(() => stored("birth_date")).toEqual({ birth_date: "1921" });
  await his.getByLabel(sayHim("memories:fields.name"), { exact: true }).fill("Nonna Rosa");
  await save(his);
  await expect.poll(() => stored("birth_date,person_name")).toEqual({ birth_date: "1921", person_name: "Nonna Rosa" });

  // The same field: both names are shown, and nothing is saved until a choice. Both forms open with the newest name.
  for (const page of pages) {
    await expect(page.getByRole("heading", { level: 1, name: "Nonna Rosa", exact: true })).toBeVisible();
  }
  for (const page of pages) await page.getByRole("button", { name: sayHim("memories:page.edit"), exact: true }).click();
  await hers.getByLabel(sayHim("memories:fields.name"), { exact: true }).fill("Rosa Bianchi");
  await his.getByLabel(sayHim("memories:fields.name"), { exact: true }).fill("Nonna Rosina");
  await save(hers);
  await expect.poll(() => stored("person_name")).toEqual({ person_name: "Rosa Bianchi" });
  // Under the pointer, the offer to undo stays.
  const undo = hers.getByRole("button", { name: sayHim("memories:page.undo") });
  await undo.hover();
  await save(his);
  const question = his.getByRole("dialog", { name: sayHim("conflict:title") });
  await expect(question.getByText("Rosa Bianchi")).toBeVisible();
  await expect(question.getByText("Nonna Rosina")).toBeVisible();
  await expectAccessible(his);
  expect(await stored("person_name")).toEqual({ person_name: "Rosa Bianchi" });
  await choice("useMine").click();
  await expect.poll(() => stored("person_name")).toEqual({ person_name: "Nonna Rosina" });
  // An undo does not overwrite what was saved after its change.
  await undo.click();
  await expect(hers.getByText(sayHim("conflict:notUndone"), { exact: true })).toBeVisible();
  expect(await stored("person_name")).toEqual({ person_name: "Nonna Rosina" });

  // A moment: the date and the place.
  const edit = { name: sayHim("stories:life.edit", { title: "Wedding" }) };
  for (const page of pages) await page.getByRole("button", edit).click();
  const send = (page: Page) => page.getByRole("button", { name: sayHim("stories:entry.save"), exact: true }).click();
  await fillDate(dateField(hers, sayHim("stories:entry.when")), sayHim, { year: "1946" });
  await send(hers);
  await expect.poll(moment).toMatchObject({ on_date: "1946" });
  await his.getByLabel(sayHim("stories:entry.place"), { exact: true }).fill("Turin");
  await send(his);
  await expect.poll(moment).toEqual({ title: "Wedding", on_date: "1946", place: "Turin" });

  // A caption and a description of one photo; then the same caption.
  for (const page of pages) {
    await toGallery(page);
    await tiles(page).first().locator("a").press("Enter");
    await page.getByRole("button", { name: sayHim("gallery:details.show") }).click();
  }
  const caption = (page: Page) => page.getByLabel(sayHim("gallery:details.caption"), { exact: true });
  const photo = async () =>
    (await ada.client.from("media").select("caption,alt_text").eq("memory_id", memory.id).single()).data;
  await caption(hers).fill("Her chair");
  await his.getByLabel(sayHim("gallery:details.alt")).fill("A chair under a tree");
  await expect.poll(photo).toEqual({ caption: "Her chair", alt_text: "A chair under a tree" });
  await expect(caption(his)).toHaveValue("Her chair");
  await his.context().setOffline(true);
  await caption(his).fill("The chair in Torno");
  await caption(hers).fill("Her garden chair");
  await expect.poll(photo).toMatchObject({ caption: "Her garden chair" });
  await his.context().setOffline(false);
  await expect(choice("useMine")).toBeVisible();
  expect(await photo()).toMatchObject({ caption: "Her garden chair" });
  await choice("useBoth").click();
  await expect.poll(photo).toEqual({
    caption: "Her garden chair\n\nThe chair in Torno",
    alt_text: "A chair under a tree",
  });
});
