// Takes the pictures of the product that public pages show, of the demonstration's family (decision 55).
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./setup/free-port.mjs";
import { endTogether, start, stopAll } from "./setup/processes.mjs";
import { root } from "./setup/root.mjs";
import { ensureChromium } from "./suites/browser.mjs";

const OUT = join(root, "web/public/pictures");

/** What is shown to readers of each language. */
const FAMILIES = {
  en: { email: "ruth@demo.example", memory: "Arthur Bellwood" },
  it: { email: "giulia@demo.example", memory: "Teresa Marchetti" },
};
const PASSWORD = "skies-demo";

/** Pixels of the window, how many of the screen make one, how many from the top are kept, and how wide the file is. */
const WIDE = { width: 1280, height: 860, scale: 1.25, shown: 760, file: 1440 };
const PHONE = { width: 390, height: 780, scale: 1.5, shown: 672, file: 520 };

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {{ page: Page, address: string, memory: string, shareId: string, pin: string | undefined }} Scene */

/** @type {Record<string, { size: typeof WIDE, go: (scene: Scene) => Promise<void> }>} */
const PICTURES = {
  memory: { size: WIDE, go: openShared },
  phone: { size: PHONE, go: openShared },
};

/** @param {Scene} scene */
async function openShared({ page, address, memory, shareId, pin }) {
  await visit(page, `${address}/shared/${shareId}`);
  if (pin) {
    await page.locator("[data-digits] input").first().click();
    await page.keyboard.type(pin);
  }
  await page.getByRole("heading", { level: 1, name: memory }).waitFor();
  // Behind the share gate the product's own typefaces come after the words.
  await page.locator(".story").first().waitFor();
  await page.waitForFunction(() => document.documentElement.dataset.fonts !== undefined);
  await page.evaluate(() => document.fonts.ready);
  await page.waitForLoadState("networkidle");
}

/**
 * @param {Page} page
 * @param {string} url
 */
const visit = (page, url) => page.goto(url, { waitUntil: "networkidle" });

endTogether();
// Given, where the family is there already.
const given = process.env.DEMO_DATA_DIR;
const dataDir = given || (await mkdtemp(join(tmpdir(), "skies-pictures-")));
const port = await freePort();
const address = `http://localhost:${port}`;
const demo = start(process.execPath, ["scripts/demo.mjs"], {
  stdio: ["ignore", "pipe", "inherit"],
  env: { ...process.env, PORT: String(port), DEMO_DATA_DIR: dataDir },
});
try {
  await takeAll();
} finally {
  await stopAll();
  if (!given) await rm(dataDir, { recursive: true, force: true });
}

async function takeAll() {
  await new Promise((resolve, reject) => {
    demo.stdout?.on("data", (text) => String(text).includes("Ctrl-C") && resolve(undefined));
    demo.once("close", () => reject(new Error("The demonstration ended.")));
  });
  const { chromium } = await import("@playwright/test");
  const { default: sharp } = await import("sharp");
  const browser = await chromium.launch({ executablePath: await ensureChromium() });
  await mkdir(OUT, { recursive: true });
  for (const [language, family] of Object.entries(FAMILIES)) {
    const opened = await linkOf(family);
    for (const theme of ["light", "dark"]) {
      for (const [name, { size, go }] of Object.entries(PICTURES)) {
        const context = await browser.newContext({
          viewport: { width: size.width, height: size.height },
          deviceScaleFactor: size.scale,
          locale: language === "en" ? "en-GB" : "it-IT",
          reducedMotion: "reduce",
        });
        await context.addInitScript((chosen) => {
          localStorage.setItem("theme", chosen);
          localStorage.setItem("cookie_consent", "declined");
        }, theme);
        const page = await context.newPage();
        await go({ page, address, memory: family.memory, ...opened });
        // Every picture in sight is there whole, and nothing of the frame is before it.
        await page.waitForFunction(() =>
          [...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight),
        );
        await page.addStyleTag({ content: "aside, [role=status]:not(main *) { visibility: hidden !important; }" });
        const shot = await page.screenshot({ clip: { x: 0, y: 0, width: size.width, height: size.shown } });
        await sharp(shot)
          .resize({ width: size.file })
          .webp({ quality: 74 })
          .toFile(join(OUT, `${name}.${language}.${theme}.webp`));
        await context.close();
      }
    }
  }
  await browser.close();
}

/**
 * The link of a memory and its PIN, as whoever it belongs to sees it.
 * @param {{ email: string, memory: string }} family
 */
async function linkOf({ email, memory }) {
  const { supabaseAnonKey: apikey } = await (await fetch(`${address}/config.json`)).json();
  const reply = await fetch(`${address}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey, "content-type": "application/json" },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const { access_token } = await reply.json();
  const query = new URLSearchParams({ select: "share_links(share_id,has_pin)", person_name: `eq.${memory}` });
  const headers = { apikey, authorization: `Bearer ${access_token}` };
  const [{ share_links }] = await (await fetch(`${address}/rest/v1/memories?${query}`, { headers })).json();
  const [{ share_id: shareId, has_pin: hasPin }] = share_links;
  return { shareId, pin: hasPin ? "2468" : undefined };
}
