import { expect, test } from "../support/e2e.ts";
import { memoryWith } from "../support/gallery.ts";
import { administrator } from "../support/screens/desk-orders.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");

test("a comment, an album's name and a link's name that another window changed meanwhile are never overwritten unseen", async ({
  visit,
  person,
  expectedErrors,
}) => {
  // The refused update, after which the page asks.
  expectedErrors.push(/status of 409/);
  const { client, ...ada } = await person("Ada");
  const { id } = await memoryWith({ client, ...ada }, []);
  const page = await visit({ as: { client, ...ada } });
  const choose = (name: "useMine" | "useTheirs" | "useBoth") =>
    page.getByRole("button", { name: say(`conflict:${name}`) }).click();

  const comment = await client
    .from("comments")
    .insert({ memory_id: id, body: "He sang." })
    .select("id")
    .single()
    .throwOnError();
  await page.goto(`/memory/${id}`);
  await page.getByRole("button", { name: say("comments:read.more", { name: "Ada" }) }).click();
  await page.getByRole("menuitem", { name: say("comments:read.edit") }).click();
  await client.from("comments").update({ body: "He sang well." }).eq("id", comment.data.id).throwOnError();
  await page.getByLabel(say("comments:write.edit")).fill("He sang every Sunday.");
  await page.getByRole("button", { name: say("comments:write.save"), exact: true }).click();
  const note = page.getByRole("region", { name: say("conflict:title") });
  await expect(note.getByText("He sang well.")).toBeVisible();
  await expect(note.getByText("He sang every Sunday.")).toBeVisible();
  await choose("useBoth");
  const body = async () => (await client.from("comments").select("body").eq("id", comment.data.id).single()).data?.body;
  await expect.poll(body).toBe("He sang well.\n\nHe sang every Sunday.");
  await expect(note).toHaveCount(0);

  await page
    .getByRole("button", { name: say("sharing:share"), exact: true })
    .first()
    .click();
  const link = client.from("share_links").select("id,label").eq("memory_id", id).single();
  await client.from("share_links").update({ shared_at: new Date().toISOString() }).eq("memory_id", id).throwOnError();
  await page.getByRole("button", { name: say("sharing:more.title") }).click();
  await page.getByRole("button", { name: say("sharing:name.title") }).click();
  await client.from("share_links").update({ label: "The choir" }).eq("memory_id", id).throwOnError();
  await page.getByLabel(say("sharing:name.label"), { exact: true }).fill("The singers");
  await page.getByRole("button", { name: say("sharing:name.save") }).click();
  await expect(note.getByText("The choir")).toBeVisible();
  await choose("useMine");
  await expect.poll(async () => (await link).data?.label).toBe("The singers");

  const album = await client.from("albums").insert({ name: "Bellini" }).select("id").single().throwOnError();
  await page.goto(`/groups/${album.data.id}`);
  await page.getByRole("button", { name: say("albums:rename") }).click();
  await client.from("albums").update({ name: "Famiglia Bellini" }).eq("id", album.data.id).throwOnError();
  await page.getByLabel(say("albums:name")).fill("The Bellinis");
  await page.getByRole("button", { name: say("albums:save") }).click();
  const question = page.getByRole("dialog", { name: say("conflict:title") });
  await expect(question.getByText("Famiglia Bellini")).toBeVisible();
  // Closing the question decides nothing.
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  await page.getByRole("button", { name: say("conflict:show") }).click();
  await expect(question.getByText("The Bellinis")).toBeVisible();
  await choose("useTheirs");
  await expect(page.getByRole("heading", { level: 1, name: "Famiglia Bellini" })).toBeVisible();
});

test("a person's own name that another window changed meanwhile is not overwritten unseen", { tag: "@sample" }, async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const page = await visit({ as: ada });
  await page.goto("/profile");
  const label = say("account:fullName");
  await page.getByRole("button", { name: `${say("profile:change")}: ${label}` }).click();
  await ada.client.auth.updateUser({ data: { full_name: "Ada Rossi" } });
  await page.getByLabel(label, { exact: true }).fill("Ada Bianchi");
  await page.getByRole("button", { name: say("profile:save"), exact: true }).click();
  const note = page.getByRole("region", { name: say("conflict:title") });
  await expect(note.getByText("Ada Rossi", { exact: true })).toBeVisible();
  const stored = async () => (await ada.client.auth.getUser()).data.user?.user_metadata.full_name;
  expect(await stored()).toBe("Ada Rossi");
  await page.getByRole("button", { name: say("conflict:useMine") }).click();
  await expect.poll(stored).toBe("Ada Bianchi");
});

test("of two administrators who change a voucher, neither overwrites the other unseen", async ({
  visit,
  server,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 409/);
  const admin = await administrator(server);
  const fields = { code: "TWODESKS", percentage: 10, note: "Spring" };
  await admin.client.from("vouchers").insert(fields).throwOnError();
  const stored = async () =>
    (await admin.client.from("vouchers").select("percentage,note,max_uses").eq("code", "TWODESKS").single()).data;
  const desk = await visit({ as: admin });
  await desk.goto("/admin/catalogue");
  await desk.getByRole("button", { name: "TWODESKS" }).click();
  await admin.client.from("vouchers").update({ percentage: 20, max_uses: 5 }).eq("code", "TWODESKS").throwOnError();
  await desk.getByLabel(say("adminCatalogue:percentage")).fill("30");
  await desk.getByLabel(say("adminCatalogue:note")).fill("Summer");
  await desk.getByRole("button", { name: say("adminCatalogue:save"), exact: true }).click();
  const note = desk.getByRole("region", { name: say("conflict:title") });
  await expect(note.getByText("20%")).toBeVisible();
  await expect(note.getByText("30%")).toBeVisible();
  expect(await stored()).toEqual({ percentage: 20, note: "Spring", max_uses: 5 });
  await desk.getByRole("button", { name: say("conflict:useTheirs") }).click();
  await expect.poll(stored).toEqual({ percentage: 20, note: "Summer", max_uses: 5 });
});

test("of two administrators who change a plan or the card, neither overwrites the other unseen", async ({
  visit,
  server,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 409/);
  const admin = await administrator(server);
  const { client } = admin;
  const id = "skies-two-desks";
  // No price, so that no other test sells it.
  const terms = { name: "Two Desks", max_memories: 5, storage_gb: 50, term_years: 1, included_cards: 0 };
  await client
    .from("subscription_plans")
    .insert({ id, position: 90, ...terms })
    .throwOnError();
  const stored = async () =>
    (await client.from("subscription_plans").select("name,storage_gb,max_memories").eq("id", id).single()).data;
  const desk = await visit({ as: admin });
  await desk.goto("/admin/catalogue");
  await desk.getByRole("button", { name: terms.name }).click();
  await client.from("subscription_plans").update({ storage_gb: 60, max_memories: 6 }).eq("id", id).throwOnError();
  await desk.getByLabel(say("adminCatalogue:plan.storage_gb")).fill("70");
  await desk.getByLabel(say("adminCatalogue:plan.name")).fill("Two Desks Family");
  await desk.getByRole("button", { name: say("adminCatalogue:save"), exact: true }).click();
  const note = desk.getByRole("region", { name: say("conflict:title") });
  await expect(note.getByText("60")).toBeVisible();
  await expect(note.getByText("70")).toBeVisible();
  expect(await stored()).toEqual({ name: terms.name, storage_gb: 60, max_memories: 6 });
  await desk.getByRole("button", { name: say("conflict:useMine") }).click();
  await expect.poll(stored).toEqual({ name: "Two Desks Family", storage_gb: 70, max_memories: 6 });
  await server.service().from("subscription_plans").delete().eq("id", id).throwOnError();
});
