import { expect, test } from "../support/e2e.ts";
import { noise } from "../support/files-to-upload.ts";
import { newMemory, newRow } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const en = textsIn("en");
const phone = { width: 360, height: 740 };

test("an upload-only link shows no content and accepts photos", async ({ visit, person }) => {
  const ada = await person("Ada");
  const memory = await newMemory(ada.client, { person_name: "Rosa" });
  const link = await newRow(ada.client, "share_links", { memory_id: memory.id, rights: "upload" }, "share_id");
  const guest = await visit({ viewport: phone });
  await guest.goto(`/shared/${link.share_id}`);
  await expect(guest.getByRole("heading", { level: 1, name: en("guests:only.title") })).toBeVisible();
  await expect(guest.getByText("Rosa")).toHaveCount(0);
  await guest.getByRole("button", { name: en("guests:add.start") }).click();
  await guest.getByRole("dialog").getByLabel(en("guests:sign.name"), { exact: true }).fill("Ugo");
  await guest.keyboard.press("Enter");
  await guest.locator("input[type=file]").setInputFiles(await noise("garden.jpg"));
  const receipt = guest.getByRole("region", { name: en("guests:mine.title") }).getByText(/garden\.jpg/);
  await expect(receipt).toBeVisible({ timeout: 30_000 });
  await guest.reload();
  await expect(receipt).toBeVisible();

  // The link of an email makes them the same guest on another device, and its secret does not stay in the URL.
  const key = await guest.evaluate(
    () => Object.entries({ ...localStorage }).find(([name]) => name.startsWith("skies-guest-"))?.[1],
  );
  const elsewhere = await visit({ viewport: phone, colorScheme: "dark" });
  await elsewhere.goto(`/shared/${link.share_id}#guest=${key}`);
  await expect(elsewhere.getByText(/garden\.jpg/)).toBeVisible();
  await expect(elsewhere).toHaveURL(/^[^#]+$/);

  await guest.getByRole("button", { name: en("reports:open") }).click();
  await guest.getByLabel(en("reports:reasons.unwanted")).check();
  await guest.getByRole("button", { name: en("reports:submit") }).click();
  await expect(guest.getByText(en("reports:sentTitle"))).toBeVisible();
});
