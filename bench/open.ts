import { type Browser, chromium } from "@playwright/test";
import { ensureBuild } from "../scripts/setup/build.mjs";
import { findChromium } from "../scripts/suites/browser.mjs";
import { signUpWithPlan } from "../tests/support/people.ts";
import { startTestPostgres } from "../tests/support/postgres.ts";
import { type ProductServer, startProduct } from "../tests/support/product-server.ts";
import { judgeMost, median } from "./measure.ts";

const ROUNDS = 3;
/** A phone with a weak signal. */
const LINE = { latency: 400, downloadThroughput: 50 * 1024, uploadThroughput: 50 * 1024, offline: false };
const PHONE = { width: 360, height: 740 };
const PIN = "0417";
const TEXT = "She knew every tree by name.";
/** The time for typing a digit. */
const DIGIT_MS = 500;
/** The limit in seconds. */
const MOST = 4;

/** Opening a shared memory on a slow connection: the time until its PIN can be typed, and then until it shows. */
export async function bench() {
  await ensureBuild();
  const postgres = await startTestPostgres();
  process.env.SKIES_TEST_POSTGRES = postgres.url;
  const server = await startProduct();
  const browser = await chromium.launch({ executablePath: findChromium() });
  try {
    const path = await sharedMemory(server);
    const rounds: Opening[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await open(browser, server.url + path));
    const of = (read: (opening: Opening) => number) => median(rounds.map(read));
    console.log("\nA shared memory over 400 ms and 50 KB/s");
    console.log(`  requests before its PIN can be typed ${of(({ requestsBefore }) => requestsBefore)}`);
    console.log(`  requests until it reads ${of(({ requests }) => requests)}`);
    judgeMost(
      "until its PIN can be typed",
      of(({ typed }) => typed),
      MOST,
      "s",
    );
    judgeMost(
      "from the last digit until it reads",
      of(({ read }) => read),
      MOST,
      "s",
    );
  } finally {
    await browser.close();
    await server.close();
    await postgres.close();
  }
}

interface Opening {
  typed: number;
  read: number;
  requestsBefore: number;
  requests: number;
}

async function open(browser: Browser, url: string): Promise<Opening> {
  const context = await browser.newContext({ viewport: PHONE, hasTouch: true });
  try {
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send("Network.enable");
    await devTools.send("Network.emulateNetworkConditions", LINE);
    let requests = 0;
    page.on("request", () => requests++);
    const began = performance.now();
    await page.goto(url, { waitUntil: "commit" });
    // Checked in every frame, here and below, because a locator polls every half second.
    await page.waitForFunction(() => document.activeElement?.matches("input"));
    const typed = performance.now();
    const requestsBefore = requests;
    await page.keyboard.type(PIN, { delay: DIGIT_MS });
    const complete = performance.now();
    await page.waitForFunction((text) => document.querySelector("main")?.textContent.includes(text), TEXT);
    return { typed: (typed - began) / 1000, read: (performance.now() - complete) / 1000, requestsBefore, requests };
  } finally {
    await context.close();
  }
}

async function sharedMemory(server: ProductServer): Promise<string> {
  const { client } = await signUpWithPlan(server, "Ada");
  const memory = { person_name: "Rosa", description: `<p>${TEXT}</p>` };
  const { data } = await client.from("memories").insert(memory).select("id, share_id").single().throwOnError();
  const link = await client.from("share_links").select("id").eq("memory_id", data.id).single().throwOnError();
  await client.functions.invoke("share-pin", { body: { linkId: link.data.id, pin: PIN } });
  return `/shared/${data.share_id}`;
}
