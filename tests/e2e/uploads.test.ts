import { randomFillSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { expect, test } from "../support/e2e.ts";
import { expectPhotos } from "../support/journey.ts";
import type { Person } from "../support/people.ts";
import { photoPaths } from "../support/photos.ts";
import { wordsIn } from "../support/texts.ts";

const say = wordsIn("en");

/** A photo of about a megabyte that no compression can make smaller. */
async function noise(name: string) {
  const pixels = Buffer.alloc(900 * 600 * 3);
  randomFillSync(pixels);
  const buffer = await sharp(pixels, { raw: { width: 900, height: 600, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();
  return { name, mimeType: "image/jpeg", buffer };
}

test("photos go on from where they were after a reload in the middle of an upload", async ({ visit, person }) => {
  test.setTimeout(120_000);
  const ada = await person("Ada");
  const page = await visit({ as: ada });
  await page.goto("/memory/new");
  // A request that is under way when the network is made slow can be lost.
  await expect(page.locator("input[type=file]").first()).toBeAttached();
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 20,
    downloadThroughput: -1,
    uploadThroughput: 250_000,
  });
  const files = await Promise.all([1, 2, 3, 4, 5].map((number) => noise(`photo-${number}.jpg`)));
  await page.locator("input[type=file]").first().setInputFiles(files);
  const all = page.getByRole("progressbar", { name: say("media:upload.overall") });
  await expect
    .poll(async () => Number(await all.getAttribute("aria-valuenow")), { timeout: 60_000 })
    .toBeGreaterThan(30);
  expect(await storedCount(ada)).toBeLessThan(files.length);
  await page.reload();
  await expect(page.getByText(say("memories:new.continueLead"))).toBeVisible();
  await network.detach();
  await expectStored(ada, files.length);

  for (const file of files) {
    const { data } = await ada.client.from("media").select("object_name").eq("file_name", file.name).single();
    const { data: stored } = await ada.client.storage.from("media").download(`${data?.object_name}`);
    expect(Buffer.from((await stored?.arrayBuffer()) ?? new ArrayBuffer()).equals(file.buffer)).toBe(true);
  }
});

async function storedCount({ client }: Person) {
  return (await client.from("media").select("id", { count: "exact", head: true })).count;
}

const expectStored = (person: Person, count: number) =>
  expect.poll(() => storedCount(person), { timeout: 60_000 }).toBe(count);

test("Spec §5: a file that is no photo says so beside its name, and the others are stored", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const page = await visit({ as: ada });
  await page.goto("/memory/new");
  const [photo] = await photoPaths("kodak-1998.jpg");
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles([
      { name: "holiday.jpg", mimeType: "image/jpeg", buffer: Buffer.from("MZ this is a program, not a photo") },
      { name: "kodak-1998.jpg", mimeType: "image/jpeg", buffer: await readFile(`${photo}`) },
    ]);
  await expect(page.getByText("Invalid file type")).toBeVisible();
  await expectStored(ada, 1);
});

test("photos dropped on a memory's page join it", async ({ visit, person }) => {
  const { client, ...ada } = await person("Ada");
  const { data: memory } = await client.from("memories").insert({ person_name: "Rosa" }).select("id").single();
  const page = await visit({ as: { client, ...ada } });
  await page.goto(`/memory/${memory?.id}`);
  await expect(page.getByRole("heading", { level: 1, name: "Rosa" })).toBeVisible();
  const file = await noise("dropped.jpg");
  const dropped = await page.evaluateHandle(
    ([base64, name]) => {
      const bytes = Uint8Array.from(atob(`${base64}`), (letter) => letter.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], `${name}`, { type: "image/jpeg" }));
      return transfer;
    },
    [file.buffer.toString("base64"), file.name],
  );
  for (const event of ["dragenter", "dragover", "drop"]) {
    await page.locator("main").dispatchEvent(event, { dataTransfer: dropped });
  }
  await expectPhotos(page, 1);
});
