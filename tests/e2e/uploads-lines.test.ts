import { layLine } from "../support/cuttable-line.ts";
import { expect, test } from "../support/e2e.ts";
import { largeFile, sha256Of } from "../support/files-to-upload.ts";
import { sized } from "../support/long-tests.ts";
import { newMemory } from "../support/sharing.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");
const MB = 1024 ** 2;
/** More than the browser stores, so that it asks for the file again after a reload. */
const VIDEO_BYTES = sized(210, 300) * MB;
const CUTS = sized(5, 10);
const [KILL, RELOAD] = [Math.round(0.4 * CUTS), Math.round(0.7 * CUTS)];

test(`a video of ${VIDEO_BYTES / MB} MB is uploaded intact despite ${CUTS} lost connections, a killed server and a reload`, async ({
  server,
  visit,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(/net::ERR_|WebSocket|Failed to fetch|status of (409|50[234])/);
  const { client, ...ada } = await person("Ada");
  const memory = await newMemory(client, { person_name: "Rosa" });
  const line = await layLine(server.url);
  const video = await largeFile("first-steps.mp4", VIDEO_BYTES);
  const page = await visit({ as: { client, ...ada }, at: line.url });
  page.on("dialog", (dialog) => dialog.accept());
  await page.goto(`/memory/${memory.id}`);
  await expect(page.getByRole("heading", { level: 1, name: "Rosa" })).toBeVisible();

  let cut = line.cutAfter(VIDEO_BYTES / (CUTS + 1));
  await page.locator("input[type=file]").first().setInputFiles(video.path);
  for (let cuts = 1; cuts <= CUTS; cuts++) {
    await cut;
    if (cuts === KILL) await server.restart({ signal: "SIGKILL" });
    if (cuts < CUTS) cut = line.cutAfter(VIDEO_BYTES / (CUTS + 1));
    line.mend();
    if (cuts !== RELOAD) continue;
    // The browser does not store so many bytes. It asks for the file again, and the upload resumes.
    await page.reload();
    const chosen = page.getByLabel(say("media:upload.chooseAgainFile", { name: "first-steps.mp4" }));
    await chosen.last().setInputFiles(video.path);
  }
  const stored = () => client.from("media").select("object_name,content_hash").eq("memory_id", memory.id);
  await expect.poll(async () => (await stored()).data?.length, { timeout: 180_000 }).toBe(1);

  const [{ object_name: name, content_hash } = { object_name: "", content_hash: "" }] = (await stored()).data ?? [];
  const reply = await fetch(`${server.url}/storage/v1/object/authenticated/media/${name}`, {
    headers: { authorization: `Bearer ${ada.token}` },
  });
  const original = await sha256Of(video.path);
  expect(reply.body && (await sha256Of(reply.body))).toBe(original);
  expect(content_hash).toBe(original);
  // Only bytes that were in transit at a cut are sent again; no upload restarts.
  expect(line.sent()).toBeLessThan(1.3 * VIDEO_BYTES);
  await line.close();
  await video.remove();
});
