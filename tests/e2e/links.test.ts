import type { Page } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";
import { enterPin, setPin, typePin } from "../support/journey.ts";
import type { Person } from "../support/people.ts";
import { newMemory } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

type Say = ReturnType<typeof textsIn>;

/** Creates a memory of a person and opens its share window as the owner. */
async function sharing(page: Page, say: Say, { client }: Person, name: string) {
  const data = await newMemory(client, { person_name: name });
  await page.goto(`/memory/${data.id}`);
  await page.getByRole("button", { name: say("sharing:share"), exact: true }).click();
  return page.getByRole("dialog");
}

const press = (page: Page, name: string) => page.getByRole("button", { name }).last().click();

test("Spec §4: a second link has its own name, PIN, expiry and download setting, and open pages follow its changes", async ({
  visit,
  person,
  server,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 4(01|10)/);
  const say = textsIn("en");
  const ada = await person("Ada");
  const owner = await visit({ as: ada, viewport: { width: 390, height: 844 } });
  const panel = await sharing(owner, say, ada, "Rosa");
  const pinText = panel.getByLabel(say("sharing:secret.pin"), { exact: true });
  await expect(pinText).toHaveText(/^\d{4}$/);
  const pin = (await pinText.textContent()) ?? "";
  // Reopened, the window shows the same PIN. A PIN that was stored before PINs could be read is marked as unreadable.
  await owner.keyboard.press("Escape");
  await owner.getByRole("button", { name: say("sharing:share"), exact: true }).click();
  await expect(pinText).toHaveText(pin);
  await server.service().from("share_pins").update({ sealed: null }).not("link_id", "is", null).throwOnError();
  await owner.reload();
  await owner.getByRole("button", { name: say("sharing:share"), exact: true }).click();
  await expect(panel.getByText(say("sharing:secret.pinUnreadable"))).toBeVisible();

  await press(owner, say("sharing:more.title"));
  await press(owner, say("sharing:list.add"));
  await expect(panel.getByRole("listitem")).toHaveCount(1);
  const made = panel.getByRole("listitem").last();
  await made.getByRole("button", { name: say("sharing:more.title") }).click();

  await press(owner, say("sharing:name.title"));
  await made.getByLabel(say("sharing:name.label"), { exact: true }).fill("The choir");
  await press(owner, say("sharing:name.save"));
  await expect(made.getByRole("heading", { level: 3, name: /^The choir/ })).toBeVisible();
  // A PIN is suggested. The page warns of an easy one, and accepts one that the owner chooses.
  await made.getByRole("button", { name: say("sharing:pin.set") }).click();
  await expect(made.getByText(say("sharing:pin.suggested"))).toBeVisible();
  await typePin(owner, say, "1234");
  await expect(made.getByText(say("sharing:pin.easy"))).toBeVisible();
  await press(owner, say("sharing:access.cancel"));
  await setPin(owner, say, "0417", "set");
  await press(owner, say("sharing:end.title"));
  await press(owner, say("sharing:end.month"));
  await made.getByRole("switch", { name: say("sharing:download.title") }).click();
  await expect(made.getByRole("heading", { level: 3 })).toContainText(
    new RegExp(`${say("sharing:rights.comment")} · PIN · Until.*${say("sharing:list.noDownload")}`),
  );
  await expect(made.getByText(say("sharing:opened.never")).first()).toBeVisible();
  const address = await made.getByLabel(say("sharing:link"), { exact: true }).inputValue();

  const guest = await visit({ viewport: { width: 390, height: 844 } });
  await guest.goto(address);
  await enterPin(guest, say, "0417");
  await expect(guest.getByRole("heading", { level: 1, name: "Rosa" })).toBeVisible();
  const allowed = () => guest.evaluate(() => JSON.parse(Object.values({ ...sessionStorage })[0] ?? "{}"));
  await expect.poll(allowed).toMatchObject({ rights: "comment", allowsDownload: false });
  const download = guest.getByRole("button", { name: say("downloads:download"), exact: true });
  await expect(download).toHaveCount(0);
  // The owner sees live that the link was opened. The text differs after midnight.
  await expect(made.getByRole("heading", { level: 3 })).toContainText(
    say("sharing:opened.times", { count: 1, when: "" }).trim(),
  );
  await press(owner, say("sharing:opened.title"));
  await expect(made.getByText(say("sharing:opened.inHour", { count: 1 }), { exact: true })).toBeVisible();

  // Closed, because each opening is an item of a list too.
  await press(owner, say("sharing:opened.title"));
  await press(owner, say("sharing:rights.title"));
  const mayAdd = made.getByRole("radio", { name: say("sharing:rights.contribute") });
  await mayAdd.click();
  await expect(mayAdd).toBeChecked();
  await expect.poll(allowed).toMatchObject({ rights: "contribute" });
  await made.getByRole("switch", { name: say("sharing:download.title") }).click();
  await expect(download).toBeVisible();
  await press(owner, say("sharing:close.action"));
  await expect(guest.getByRole("heading", { name: say("shareGate:open.revoked") })).toBeVisible();
  await expect.poll(() => guest.evaluate(() => sessionStorage.length)).toBe(0);
  await press(owner, say("sharing:close.reopen"));
  // The device stays in, because neither the PIN nor the address has changed.
  await guest.getByRole("button", { name: say("shareGate:open.retry") }).click();
  await expect(guest.getByRole("heading", { level: 1, name: "Rosa" })).toBeVisible();

  await press(owner, say("sharing:remake.action"));
  await expect(owner.getByText(say("sharing:remake.printed"))).toBeVisible();
  await press(owner, say("sharing:remake.confirm"));
  await expect(made.getByLabel(say("sharing:link"), { exact: true })).not.toHaveValue(address);
  await expect(guest.getByText(say("shareGate:open.closed"))).toBeVisible();

  await press(owner, say("sharing:delete.action"));
  await expect(owner.getByText(say("sharing:delete.log"))).toBeVisible();
  await press(owner, say("sharing:delete.confirm"));
  await expect(panel.getByRole("heading", { level: 3 })).toHaveCount(1);
});
