import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { expectAccessible } from "../support/accessibility.ts";
import { layLine } from "../support/cuttable-line.ts";
import { expect, test } from "../support/e2e.ts";
import { drop, largeFile, noise, tinyPhotos } from "../support/files-to-upload.ts";
import { sized } from "../support/long-tests.ts";
import { type Person, signUp } from "../support/people.ts";
import { newMemory } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const MB = 1024 ** 2;
const COUNT = sized(60, 500);

/** Creates a memory of a person, without a browser. */
async function memoryOf({ client }: Person): Promise<string> {
  const data = await newMemory(client, { person_name: "Rosa" });
  return data.id;
}

async function open(page: Page, memoryId: string) {
  await page.goto(`/memory/${memoryId}`);
  await expect(page.getByRole("heading", { level: 1, name: "Rosa" })).toBeVisible();
}

const choose = (page: Page, files: Parameters<ReturnType<Page["locator"]>["setInputFiles"]>[0]) =>
  page.locator("input[type=file][multiple]").first().setInputFiles(files);

async function storedNames({ client }: Person): Promise<string[]> {
  const { data } = await client.from("media").select("file_name").order("file_name").throwOnError();
  return data.map(({ file_name }) => file_name);
}

const expectStored = (person: Person, ...names: string[]) =>
  expect.poll(() => storedNames(person), { timeout: 180_000 }).toEqual(names);

test(`${COUNT} photos dropped at once are all stored, and the page stays small and usable`, async ({
  visit,
  person,
}) => {
  const say = textsIn("en");
  const ada = await person("Ada");
  const memory = await memoryOf(ada);
  const page = await visit({ as: ada });
  await open(page, memory);
  const elements = () => page.locator("body *").count();
  const before = await elements();
  const photos = (await tinyPhotos(COUNT)).map((buffer, index) => ({ name: `photo-${index}.jpg`, buffer }));
  // The first upload is answered only after the page has been used, so that uploads are active meanwhile.
  let answer = () => {};
  const used = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/upload\/resumable/, (route) => used.then(() => route.continue()), { times: 1 });
  await drop(page, photos);

  const tray = page.getByRole("region", { name: say("media:upload.title") });
  await expect(tray.getByText(new RegExp(` of ${COUNT} `)).last()).toBeVisible();
  await tray.getByRole("button", { name: /^Show all \d+ files$/ }).click();
  await expect(tray.getByRole("listitem").nth(5)).toBeVisible();
  expect(await tray.getByRole("listitem").count()).toBeLessThan(30);
  expect(await elements()).toBeLessThan(before + 1500);

  // The page works as usual during the uploads.
  await page.getByRole("button", { name: say("memories:page.edit") }).click();
  await page.getByLabel(say("memories:fields.name"), { exact: true }).fill("Rosa Rossi");
  await page.getByRole("button", { name: say("memories:page.save") }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Rosa Rossi" })).toBeVisible();
  const count = async () => (await ada.client.from("media").select("id", { count: "exact", head: true })).count;
  expect(await count()).toBeLessThan(COUNT);
  answer();
  await expect.poll(count, { timeout: 200_000 }).toBe(COUNT);
  expect(await elements()).toBeLessThan(before + 1500);

  // The gallery leads to a year, and the keyboard continues there.
  const { data: media } = await ada.client.from("media").select("id").order("id").throwOnError();
  const ids = media.map(({ id }) => id);
  const dates = ids.map((_id, index) => (index < COUNT / 2 ? "1950" : "1974"));
  await ada.client.rpc("set_media_dates", { ids, dates }).throwOnError();
  const menu = page.getByRole("button", { name: say("gallery:order.open") });
  await menu.click();
  await page.getByRole("menuitem", { name: "1974" }).click();
  await expect(page.locator("[data-photo] a:focus")).toBeInViewport();
  await expect(page.getByRole("heading", { level: 3, name: "1974" })).toBeInViewport();
});

test("Spec §5: each file that cannot be stored shows the reason, and the others are stored", async ({
  visit,
  person,
}) => {
  const say = textsIn("en");
  const ada = await person("Ada");
  const page = await visit({ as: ada });
  await open(page, await memoryOf(ada));
  const large = await largeFile("large.jpg", 50 * MB + 1);
  const long = await largeFile("long.mp4", 2048 * MB + 1);
  await choose(page, [large.path, long.path]);
  await expect(page.getByText(say("media:problem.size"), { exact: true })).toHaveCount(2);
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const good = await noise("good.jpg");
  await choose(page, [
    { name: "holiday.jpg", mimeType: "image/jpeg", buffer: Buffer.from("MZ\x90 this is a program") },
    { name: "drawing.png", mimeType: "image/png", buffer: svg },
    { name: "cut-short.jpg", mimeType: "image/jpeg", buffer: good.buffer.subarray(0, 100_000) },
    good,
  ]);
  await expect(page.getByText(say("media:problem.type"), { exact: true })).toHaveCount(2);
  await expectStored(ada, "cut-short.jpg", "good.jpg");
  expect(say("media:problem.size")).toBe("File is too large");
  expect(say("media:problem.type")).toBe("Invalid file type");
  expect(say("media:problem.failed")).toBe("Failed to upload file");
  await expectAccessible(page);
  await large.remove();
  await long.remove();
});

test("every broken photo is stored with its bytes unchanged, and its preparation ends; an SVG is refused with the reason", async ({
  visit,
  person,
}) => {
  const say = textsIn("en");
  const ada = await person("Ada");
  const page = await visit({ as: ada });
  await open(page, await memoryOf(ada));
  const files = await brokenFiles();
  const names = files.map((file) => basename(file));
  await choose(page, files);
  const stored = names.filter((name) => !name.endsWith(".svg"));
  await expectStored(ada, ...stored);
  await expect(page.getByText(say("media:problem.type"), { exact: true })).toHaveCount(names.length - stored.length);
  const states = async () => {
    const { data } = await ada.client.from("media").select("file_name,state").throwOnError();
    return Object.fromEntries(data.map(({ file_name, state }) => [file_name, state]));
  };
  // Files with strange metadata are normal photos. The others are shown as far as possible, or kept.
  await expect.poll(states).toMatchObject({ "invalid-exif.jpg": "ready", "invalid-exif-2.jpg": "ready" });
  await expect.poll(async () => Object.values(await states())).not.toContain("waiting");
  // Each is stored as it was sent, whatever could be shown of it.
  const { data: rows } = await ada.client.from("media").select("file_name,object_name").throwOnError();
  expect(rows).toHaveLength(stored.length);
  for (const { file_name, object_name } of rows) {
    const { data: file, error } = await ada.client.storage.from("media").download(object_name);
    if (error) throw error;
    const sent = await readFile(files.find((path) => basename(path) === file_name) ?? "");
    expect(sent.equals(new Uint8Array(await file.arrayBuffer())), file_name).toBe(true);
  }
});

test("Spec §5: what is neither photo nor video is refused with advice, and half a photo is marked as damaged", async ({
  visit,
  person,
}) => {
  const say = textsIn("it");
  const ada = await person("Ada");
  const page = await visit({ as: ada, language: "it" });
  await open(page, await memoryOf(ada));
  const whole = await noise("half.jpg");
  await choose(page, [
    { name: "holiday.jpg", mimeType: "image/jpeg", buffer: Buffer.from("PK\x03\x04\x14\0") },
    { name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>") },
    { ...whole, buffer: whole.buffer.subarray(0, whole.buffer.length / 2) },
  ]);
  await expect(page.getByText(say("media:problem.type"), { exact: true })).toHaveCount(2);
  await expect(page.getByText(say("media:refused.archive"))).toBeVisible();
  await expect(page.getByText(say("media:refused.drawing"))).toBeVisible();
  await expectStored(ada, "half.jpg");
  const mark = page.getByTitle(say("gallery:damaged"));
  await expect(mark).toBeVisible();
  await expectAccessible(page);
  await mark.click();
  await expect(page.getByRole("dialog").getByText(say("gallery:damaged"))).toBeVisible();
});

test("uploads pause and resume across a lost connection, a reload and a killed server; the page asks about duplicates and reports full storage", async ({
  server,
  visit,
  expectedErrors,
}) => {
  expectedErrors.push(/net::ERR_|WebSocket|Failed to fetch|status of (409|50[2347])/);
  const say = textsIn("en");
  const ada = await signUp(server, "Ada");
  const memory = await memoryOf(ada);
  const line = await layLine(server.url);
  const page = await visit({ as: ada, at: line.url });
  await open(page, memory);
  const [one, two, three, four] = await Promise.all(["1", "2", "3", "4"].map((number) => noise(`photo-${number}.jpg`)));
  const button = (key: string, name?: string) => page.getByRole("button", { name: say(key, { name }), exact: true });

  const lost = line.cutAfter(0.4 * MB);
  await choose(
    page,
    [one, two, three].flatMap((file) => file ?? []),
  );
  await lost;
  await expect(page.getByText(say("media:upload.offline")).last()).toBeVisible();
  await button("media:upload.pauseAll").click();
  await expect(page.getByRole("main").getByText(say("media:upload.paused"), { exact: true })).toHaveCount(4);
  await expectAccessible(page);

  line.mend();
  await page.reload();
  await expect(page.getByRole("main").getByText(say("media:upload.paused"), { exact: true })).toHaveCount(4);
  expect(await storedNames(ada)).toEqual([]);
  await button("media:upload.resume", "photo-1.jpg").click();
  await expectStored(ada, "photo-1.jpg");
  await button("media:upload.remove", "photo-2.jpg").click();
  await expect(page.getByText("photo-2.jpg")).toHaveCount(0);

  await choose(page, one ?? []);
  await expect(page.getByText(say("media:duplicate.here", { count: 1, name: "photo-1.jpg" }))).toBeVisible();
  await button("media:duplicate.skip_one").click();
  await choose(page, one ?? []);
  await button("media:duplicate.add_one").click();
  await expectStored(ada, "photo-1.jpg", "photo-1.jpg");

  // The server is replaced, and interrupted uploads continue.
  await server.restart({ signal: "SIGKILL" });
  await button("media:upload.resumeAll").click();
  await expectStored(ada, "photo-1.jpg", "photo-1.jpg", "photo-3.jpg");
  // When the storage is full, no more files are accepted.
  await server.change((db) =>
    db.query("update private.account_use set stored = 1024::bigint ^ 3 - 100 where account = $1", [ada.id]),
  );
  await choose(page, four ?? []);
  await expect(page.getByText(say("media:full.title")).first()).toBeVisible();
  await expect(page.getByRole("link", { name: say("media:full.more") })).toHaveAttribute("href", "/subscribe");
  await expectAccessible(page);

  // Every other page reports that an upload waits, and links to it.
  await page
    .getByRole("link", { name: say("layout:memories") })
    .first()
    .click();
  await page.getByRole("link", { name: say("media:upload.problems", { count: 1 }) }).click();
  await button("media:upload.retry", "photo-4.jpg").click();
  await expect(page.getByText(say("media:full.title")).first()).toBeVisible();
  await button("media:upload.remove", "photo-4.jpg").click();
  await expect(page.getByText(say("media:full.title"))).toHaveCount(0);
  await line.close();
});

const root = new URL("../..", import.meta.url).pathname;
const corpus = join(root, "../shared/corpus/broken");
const made = join(root, ".cache/broken");

/**
 * Paths of broken files in the order of their names: those of the corpus if available, otherwise generated ones of the
 * same names.
 */
async function brokenFiles(): Promise<string[]> {
  if (!existsSync(corpus)) await make();
  const folder = existsSync(corpus) ? corpus : made;
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
}

async function make() {
  await mkdir(made, { recursive: true });
  const picture = sharp({ create: { width: 640, height: 480, channels: 3, background: "teal", noise: NOISE } });
  const [jpeg, png] = await Promise.all([picture.clone().jpeg().toBuffer(), picture.clone().png().toBuffer()]);
  const half = Math.floor(jpeg.length / 2);
  const files = {
    "corrupted.jpg": Buffer.concat([jpeg.subarray(0, half), Buffer.alloc(half, 0x55)]),
    "invalid-exif-2.jpg": withExif(jpeg, Buffer.alloc(40, 0xff)),
    "invalid-exif.jpg": withExif(jpeg, Buffer.from("MM\0*\0\0\xff\xff", "latin1")),
    "svg-is-not-a-photo.svg": Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    "truncated.png": png.subarray(0, Math.floor(png.length / 2)),
  };
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(made, name), bytes);
}

const NOISE = { type: "gaussian", mean: 128, sigma: 30 } as const;

/** Inserts these bytes into a JPEG as its EXIF block. */
function withExif(jpeg: Buffer, tiff: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, body.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}
