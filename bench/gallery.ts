import { readFile } from "node:fs/promises";
import { type Browser, chromium } from "@playwright/test";
import { ensureBuild } from "../scripts/setup/build.mjs";
import { findChromium } from "../scripts/suites/browser.mjs";
import { multiplyPhotos } from "../tests/support/many-photos.ts";
import { type Person, signUpWithPlan } from "../tests/support/people.ts";
import { photoPaths } from "../tests/support/photos.ts";
import { type ProductServer, startProduct } from "../tests/support/product-server.ts";
import { SESSION_KEY } from "../web/lib/session/session-key.ts";
import { median } from "./measure.ts";
import { cpuOf } from "./processes.ts";

const PHOTOS = 2000;
const ROUNDS = 5;
const WINDOW = { width: 1440, height: 900 };
/** CSS pixels a second: five screen heights. */
const SPEED = 4500;

/** A memory of two thousand photos in a browser: the time of its first view, and the frames while scrolling. */
export async function bench() {
  await ensureBuild();
  const server = await startProduct();
  const browser = await chromium.launch({ executablePath: findChromium() });
  try {
    const ada = await signUpWithPlan(server, "Ada");
    const memoryId = await manyPhotos(server, ada);
    console.log(`\nA memory of ${PHOTOS} photos in Chromium, ${WINDOW.width} × ${WINDOW.height}`);

    const views: View[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const view = await firstView(browser, server, ada, memoryId);
      if (round > 0) views.push(view);
    }
    const of = (read: (view: View) => number) => median(views.map(read));
    line("first view, with an empty cache", `${of((view) => view.requests)} requests`);
    line("  of them to the API", `${of((view) => view.apiRequests)} requests`);
    line("  bytes of the API", `${Math.round(of((view) => view.apiBytes) / 1024)} KB`);
    line("  bytes of pictures", `${Math.round(of((view) => view.pictureBytes) / 1024)} KB`);
    line("  until the first row shows", `${Math.round(of((view) => view.ms))} ms`);
    line("  CPU of the server", `${Math.round(of((view) => view.cpu))} ms`);

    const scrolls: Scroll[] = [];
    for (let round = 0; round < ROUNDS; round++) scrolls.push(await scrollThrough(browser, server, ada, memoryId));
    const frames = median(scrolls.map(({ frame }) => frame));
    line("scrolled end to end, at the median", `${(1000 / frames).toFixed(1)} frames a second`);
    line("  nineteen of twenty frames within", `${median(scrolls.map(({ slow }) => slow)).toFixed(0)} ms`);
    line("  elements of the gallery, at the most", `${Math.max(...scrolls.map(({ elements }) => elements))}`);
  } finally {
    await browser.close();
    await server.close();
  }
}

const line = (name: string, value: string) => console.log(`  ${name.padEnd(40)} ${value.padStart(24)}`);

async function manyPhotos(server: ProductServer, { client }: Person): Promise<string> {
  const { data } = await client.from("memories").insert({ person_name: "Rosa" }).select("id").single().throwOnError();
  const names = ["canon.jpg", "kodak-1998.jpg", "jolla-phone.jpg", "landscape-orientation-6.jpg", "reconyx.jpg"];
  for (const path of await photoPaths(...names)) {
    const { error } = await client.storage
      .from("media")
      .upload(`${data.id}/${crypto.randomUUID()}.jpg`, await readFile(path), { contentType: "image/jpeg" });
    if (error) throw error;
  }
  for (let waiting = 1; waiting > 0; await new Promise((done) => setTimeout(done, 200))) {
    const { count } = await client
      .from("media")
      .select("id", { count: "exact", head: true })
      .eq("memory_id", data.id)
      .eq("state", "waiting");
    waiting = count ?? 0;
  }
  await server.restart({ meanwhile: (db, dataDir) => multiplyPhotos(db, dataDir, data.id, PHOTOS) });
  return data.id;
}

async function openPage(browser: Browser, server: ProductServer, ada: Person) {
  const { data } = await ada.client.auth.getSession();
  const localStorage = [{ name: SESSION_KEY, value: JSON.stringify(data.session) }];
  const context = await browser.newContext({
    viewport: WINDOW,
    storageState: { cookies: [], origins: [{ origin: server.url, localStorage }] },
  });
  // The TypeScript runner adds this helper to inner functions, and a page does not have it.
  await context.addInitScript("globalThis.__name ??= (target) => target");
  return { context, page: await context.newPage() };
}

interface View {
  requests: number;
  apiRequests: number;
  apiBytes: number;
  pictureBytes: number;
  ms: number;
  cpu: number;
}

async function firstView(browser: Browser, server: ProductServer, ada: Person, memoryId: string): Promise<View> {
  const { context, page } = await openPage(browser, server, ada);
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  const urls = new Map<string, string>();
  const sizes = new Map<string, number>();
  network.on("Network.responseReceived", ({ requestId, response }) => void urls.set(requestId, response.url));
  network.on(
    "Network.loadingFinished",
    ({ requestId, encodedDataLength }) => void sizes.set(requestId, encodedDataLength),
  );
  const cpu = (await cpuOf({ pid: server.pid(), end: async () => {} })) ?? 0;
  const start = performance.now();
  await page.goto(`${server.url}/memory/${memoryId}`);
  await page.locator("[data-gallery] [data-photo]").first().waitFor({ state: "attached" });
  await page.evaluate(() => document.getElementById("photos")?.scrollIntoView());
  await page.waitForFunction(() => {
    const inSight = [...document.querySelectorAll("[data-gallery] [data-photo]")].filter((tile) => {
      const { top, bottom } = tile.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    });
    return inSight.length > 3 && inSight.every((tile) => (tile.querySelector("img")?.naturalWidth ?? 0) > 32);
  });
  const ms = performance.now() - start;
  await page.waitForLoadState("networkidle");
  const used = ((await cpuOf({ pid: server.pid(), end: async () => {} })) ?? 0) - cpu;
  await context.close();
  const seen = [...urls].map(([id, url]) => ({ path: new URL(url).pathname, bytes: sizes.get(id) ?? 0 }));
  const api = seen.filter(({ path }) => /^\/(rest|storage\/v1\/object\/sign)/.test(path));
  const pictures = seen.filter(({ path }) => path.startsWith("/storage/v1/render/"));
  const bytes = (list: { bytes: number }[]) => list.reduce((sum, one) => sum + one.bytes, 0);
  return {
    requests: seen.length,
    apiRequests: api.length,
    apiBytes: bytes(api),
    pictureBytes: bytes(pictures),
    ms,
    cpu: used,
  };
}

interface Scroll {
  /** Milliseconds between two frames: the median and the 95th percentile. */
  frame: number;
  slow: number;
  elements: number;
}

async function scrollThrough(browser: Browser, server: ProductServer, ada: Person, memoryId: string): Promise<Scroll> {
  const { context, page } = await openPage(browser, server, ada);
  await page.goto(`${server.url}/memory/${memoryId}`);
  await page.locator("[data-gallery] [data-photo]").first().waitFor({ state: "attached" });
  await page.waitForLoadState("networkidle");
  const measured = await page.evaluate(scrollSteadily, SPEED);
  await context.close();
  const frames = measured.frames.toSorted((a, b) => a - b);
  return {
    frame: median(frames),
    slow: frames[Math.floor(frames.length * 0.95)] ?? 0,
    elements: measured.elements,
  };
}

/** Runs in the page: scrolls through the gallery at a steady speed. */
function scrollSteadily(speed: number): Promise<{ frames: number[]; elements: number }> {
  const gallery = document.querySelector("[data-gallery]");
  const from = (gallery?.getBoundingClientRect().top ?? 0) + scrollY - 100;
  const end = document.documentElement.scrollHeight - innerHeight;
  const frames: number[] = [];
  let elements = 0;
  return new Promise((done) => {
    let start: number | undefined;
    let last = 0;
    const frame = (now: number) => {
      if (start !== undefined) frames.push(now - last);
      start ??= now;
      last = now;
      elements = Math.max(elements, gallery?.querySelectorAll("*").length ?? 0);
      const top = from + ((now - start) / 1000) * speed;
      scrollTo(0, top);
      if (top < end) requestAnimationFrame(frame);
      else done({ frames, elements });
    };
    requestAnimationFrame(frame);
  });
}
