import { expect, test } from "../support/e2e.ts";
import { addPhoto, memoryWith } from "../support/gallery.ts";
import { LONG } from "../support/long-tests.ts";
import { photoPaths } from "../support/photos.ts";
import { newRow } from "../support/sharing.ts";

const PHOTOS = LONG ? 300 : 6;
const MINUTES = LONG ? 120 : 15;
const AT_ONCE = 5;

test("a wall that runs for hours does not grow, and no frame shows what may not be seen", { tag: "@long" }, async ({
  visit,
  person,
  expectedErrors,
}) => {
  if (LONG) test.setTimeout(1_800_000);
  expectedErrors.push(/the server responded with a status of 40[14]|ERR_INTERNET_DISCONNECTED|WebSocket/);
  const ada = await person("Ada", { plan: "skies-memories" });
  const paths = await photoPaths("gps-nikon.jpg", "kodak-1998.jpg");
  const { id } = await memoryWith(ada, paths, { kind: "event", person_name: "Rosa e Ugo" });
  for (let count = paths.length; count < PHOTOS; count += AT_ONCE) {
    const names = Array.from(
      { length: Math.min(AT_ONCE, PHOTOS - count) },
      (_, i) => paths[(count + i) % paths.length] ?? "",
    );
    await Promise.all(names.map((path) => addPhoto(ada, id, path)));
  }
  const { data: photos } = await ada.client.from("media").select("id").eq("memory_id", id).throwOnError();
  const hidden = String(photos?.[0]?.id);
  const wall = await newRow(ada.client, "walls", { memory_id: id }, "id", "wall_id");

  const screen = await visit({ viewport: { width: 1920, height: 1080 } });
  await screen.clock.install();
  // Every item that any frame contains, with the time of its first appearance.
  await screen.addInitScript(() => {
    const seen = new Set<string>();
    Object.assign(window, { seen });
    const note = () => {
      for (const item of document.querySelectorAll("[data-item]")) seen.add(item.getAttribute("data-item") ?? "");
    };
    new MutationObserver(note).observe(document, { subtree: true, childList: true, attributes: true });
  });
  const seen = () => screen.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);
  await ada.client.rpc("moderate", { items: [{ kind: "media", id: hidden }], decision: "hidden" }).throwOnError();
  await screen.goto(`/wall/${wall.wall_id}`);
  await expect(screen.locator("[data-item] img").first()).toBeVisible();

  const devTools = await screen.context().newCDPSession(screen);
  await devTools.send("Performance.enable");
  const measure = async () => {
    await devTools.send("HeapProfiler.collectGarbage");
    const { metrics } = await devTools.send("Performance.getMetrics");
    const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    return { heap: value("JSHeapUsedSize"), nodes: value("Nodes"), listeners: value("JSEventListeners") };
  };
  const run = async (minutes: number) => {
    // In steps, so that pictures load meanwhile.
    for (let step = 0; step < minutes * 6; step++) {
      await screen.clock.runFor(10_000);
      await screen.evaluate(() => Promise.all([...document.images].map((image) => image.decode().catch(() => {}))));
    }
  };
  await run(5);
  const before = await measure();
  await run(MINUTES);
  const after = await measure();
  expect(after.heap).toBeLessThan(before.heap * 1.25 + 2_000_000);
  expect(after.nodes).toBeLessThan(before.nodes + 200);
  expect(after.listeners).toBeLessThan(before.listeners + 100);

  const items = await seen();
  expect(items).not.toContain(hidden);
  expect(items.length).toBeGreaterThan(Math.min(PHOTOS - 2, 60));

  // Without a network it goes on; afterwards it shows what was approved meanwhile.
  await screen.context().setOffline(true);
  await run(1);
  await expect(screen.locator("[data-item] img").first()).toBeVisible();
  await ada.client.rpc("moderate", { items: [{ kind: "media", id: hidden }], decision: "shown" }).throwOnError();
  await screen.context().setOffline(false);
  await expect(async () => {
    await run(1);
    expect(await seen()).toContain(hidden);
  }).toPass({ timeout: 60_000 });
});
