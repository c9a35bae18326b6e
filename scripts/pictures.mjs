// Photographs the demonstration for public pages (decision 55) and docs/screens. Arguments select pictures by name.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./setup/free-port.mjs";
import { endTogether, start, stopAll } from "./setup/processes.mjs";
import { root } from "./setup/root.mjs";
import { ensureChromium } from "./suites/browser.mjs";

/** The demonstration's account for each language, and its memories: each page shows other people. */
const FAMILIES = {
  en: {
    email: "ruth@demo.example",
    memories: { tribute: "Arthur Bellwood", day: "Forty years of Ruth and Daniel", life: "Grace Adeyemi" },
  },
  it: {
    email: "giulia@demo.example",
    memories: { tribute: "Teresa Marchetti", day: "Chiara e Matteo sposi", life: "Renato Fabbri" },
  },
};
/** The timeout of a page on a busy machine. */
const TIMEOUT_MS = 120_000;
const LANGUAGES = /** @type {const} */ (["en", "it"]);
const PASSWORD = "skies-demo";
/** The minimum of visible photos in a picture of a memory's photos. */
const FEWEST_PHOTOS = 4;
const ALBUM = "Family";

/** The window in CSS pixels, the scale, the height that is kept, and the width of the file. */
const WIDE = { width: 1280, height: 860, scale: 1.25, shown: 760, file: 1440 };
const PHONE = { width: 390, height: 780, scale: 1.5, shown: 672, file: 520 };
/** For the documentation, whose files are small. */
const DESKTOP = { width: 1440, height: 900, scale: 1, shown: 900, file: 1080 };
const POCKET = { width: 390, height: 780, scale: 1.5, shown: 780, file: 390 };

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {"en" | "it"} Language */
/** @typedef {keyof typeof FAMILIES["en"]["memories"]} Subject */
/** @typedef {{ memory: string, memoryId: string, shareId: string, pin: string | undefined }} MemoryFacts */
/** @typedef {MemoryFacts & { page: Page, address: string, albumId: string }} Scene */
/** @typedef {{ size: typeof WIDE, go: (scene: Scene) => Promise<unknown>, of?: Subject, signedIn?: boolean, language?: Language, theme?: string }} Picture */

/**
 * In both languages and themes. Of the first memory unless stated otherwise.
 * @type {Record<string, Picture>}
 */
const PICTURES = {
  memory: { size: WIDE, go: openShared },
  phone: { size: PHONE, go: openShared },
  photos: { size: WIDE, of: "day", go: openPhotos },
  day: { size: PHONE, of: "day", go: openShared },
  story: { size: WIDE, of: "life", go: openStory },
  life: { size: PHONE, of: "life", go: openShared },
  gate: { size: PHONE, go: openGate },
};

/**
 * In English and the light theme unless stated otherwise.
 * @type {Record<string, Picture>}
 */
const SCREENS = {
  home: { size: DESKTOP, go: open("/") },
  memory: { size: DESKTOP, go: openShared },
  "memory-phone": { size: POCKET, go: openShared },
  photos: { size: DESKTOP, go: openPhotos },
  story: { size: DESKTOP, go: openStory },
  gate: { size: POCKET, go: openGate },
  share: { size: DESKTOP, signedIn: true, go: openShare },
  memories: { size: DESKTOP, signedIn: true, go: open("/") },
  dashboard: { size: DESKTOP, signedIn: true, go: open("/dashboard") },
  album: {
    size: DESKTOP,
    signedIn: true,
    go: (scene) => visit(scene.page, `${scene.address}/groups/${scene.albumId}`),
  },
  shop: { size: DESKTOP, go: open("/shop") },
  "memory-dark-italian": { size: DESKTOP, language: "it", theme: "dark", go: openShared },
  "dashboard-phone-dark": { size: POCKET, signedIn: true, theme: "dark", go: open("/dashboard") },
};

/** @param {string} path */
function open(path) {
  return (/** @type {Scene} */ { page, address }) => visit(page, address + path);
}

/** @param {Scene} scene */
async function openStory(scene) {
  await openShared(scene);
  await scene.page.locator("#story").evaluate((section) => section.scrollIntoView());
  await scene.page.waitForLoadState("networkidle");
}

/** @param {Scene} scene */
async function openShare({ page, address, memoryId }) {
  await visit(page, `${address}/memory/${memoryId}`);
  await page.getByRole("button", { name: "Share", exact: true }).first().click();
  await page.getByRole("dialog").getByRole("img").first().waitFor();
  await page.waitForLoadState("networkidle");
}

/** @param {Scene} scene */
async function openPhotos(scene) {
  await openShared(scene);
  const { page } = scene;
  await page.locator("#photos").evaluate((section) => section.scrollIntoView());
  await page.evaluate(() => scrollBy(0, -12));
  // Tiles and their pictures load when they are near the viewport.
  await page.waitForFunction((fewest) => {
    const visible = [...document.images].filter((image) => {
      const { top, bottom } = image.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    });
    return (
      visible.length >= fewest && visible.every((image) => image.complete && getComputedStyle(image).opacity === "1")
    );
  }, FEWEST_PHOTOS);
}

/** @param {Scene} scene */
async function openGate({ page, address, shareId }) {
  await visit(page, `${address}/shared/${shareId}`);
  await page.locator("[data-digits] input").first().click();
  await page.keyboard.type("24");
  // The share gate has the system's fonts, which differ between devices. The picture is part of a page with web fonts.
  await page.evaluate(async () => {
    await Promise.all(
      ['1em "Source Sans 3 Variable"', '1em "Literata Variable"'].map((font) => document.fonts.load(font)),
    );
    delete document.body.dataset.fonts;
  });
}

/** @param {Scene} scene */
async function openShared({ page, address, memory, shareId, pin }) {
  await visit(page, `${address}/shared/${shareId}`);
  if (pin) {
    await page.locator("[data-digits] input").first().click();
    await page.keyboard.type(pin);
  }
  await page.getByRole("heading", { level: 1, name: memory }).waitFor();
  // Behind the share gate, fonts load after the text.
  await page.locator(".story").first().waitFor();
  await page.waitForFunction(() => document.body.dataset.fonts === undefined);
  await page.evaluate(() => document.fonts.ready);
  await page.waitForLoadState("networkidle");
}

/**
 * @param {Page} page
 * @param {string} url
 */
const visit = (page, url) => page.goto(url, { waitUntil: "networkidle" });

endTogether();
// A data folder with the demonstration, if given.
const chosenFolder = process.env.DEMO_DATA_DIR;
const dataDir = chosenFolder || (await mkdtemp(join(tmpdir(), "skies-pictures-")));
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
  if (!chosenFolder) await rm(dataDir, { recursive: true, force: true });
}

async function takeAll() {
  await new Promise((resolve, reject) => {
    demo.stdout?.on("data", (text) => String(text).includes("Ctrl-C") && resolve(undefined));
    demo.once("close", () => reject(new Error("The demonstration ended.")));
  });
  const { chromium } = await import("@playwright/test");
  const browser = await chromium.launch({ executablePath: await ensureChromium() });
  const families = { en: await openFamily(FAMILIES.en), it: await openFamily(FAMILIES.it) };
  const folders = { pictures: join(root, "web/public/pictures"), screens: join(root, "docs/screens") };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
  const names = process.argv.slice(2);
  const chosen = (/** @type {Record<string, Picture>} */ pictures) =>
    Object.entries(pictures).filter(([name]) => names.length === 0 || names.includes(name));
  for (const [name, picture] of chosen(PICTURES)) {
    for (const language of LANGUAGES) {
      for (const theme of ["light", "dark"]) {
        const file = join(folders.pictures, `${name}.${language}.${theme}.webp`);
        await take(browser, families[language], { ...picture, language, theme }, file);
      }
    }
  }
  for (const [name, picture] of chosen(SCREENS)) {
    await take(browser, families[picture.language ?? "en"], picture, join(folders.screens, `${name}.webp`));
  }
  await browser.close();
}

/**
 * @param {import("@playwright/test").Browser} browser
 * @param {Awaited<ReturnType<typeof openFamily>>} family
 * @param {Picture} picture
 * @param {string} file
 */
async function take(browser, { session, albumId, memories }, picture, file) {
  const { size, go, of = "tribute", signedIn, language = "en", theme = "light" } = picture;
  const { default: sharp } = await import("sharp");
  const context = await browser.newContext({
    viewport: { width: size.width, height: size.height },
    deviceScaleFactor: size.scale,
    locale: language === "en" ? "en-GB" : "it-IT",
    reducedMotion: "reduce",
  });
  await context.addInitScript(
    (items) => {
      for (const [name, value] of Object.entries(items)) localStorage.setItem(name, value);
    },
    { theme, cookie_consent: "declined", ...(signedIn && { "skies-session": JSON.stringify(session) }) },
  );
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  await go({ page, address, albumId, ...memories[of] });
  // Away from photos, which show their checkbox under the pointer.
  await page.mouse.move(0, 0);
  // Waits until every visible picture has loaded and faded in, and nothing covers it.
  await page.waitForFunction(() => {
    const inSight = (/** @type {Element} */ element) => {
      const { top, bottom, width } = element.getBoundingClientRect();
      return width > 0 && bottom > 0 && top < innerHeight;
    };
    const blurred = [...document.querySelectorAll("[style*='data:image']")].filter((box) => !box.querySelector("img"));
    const pale = [...document.images].filter((image) => !image.complete || getComputedStyle(image).opacity !== "1");
    return ![...pale, ...blurred].some(inSight);
  });
  // A complete picture may still be decoded in the background, over its blurred placeholder.
  await page.evaluate(async () => {
    const loaded = [...document.images].filter((image) => image.complete && image.naturalWidth > 0);
    await Promise.all(loaded.map((image) => image.decode()));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  await page.addStyleTag({
    content: "aside, [data-corner], [role=status]:not(main *) { visibility: hidden !important; }",
  });
  const shot = await page.screenshot({ clip: { x: 0, y: 0, width: size.width, height: size.shown } });
  await sharp(shot).resize({ width: size.file }).webp({ quality: 74 }).toFile(file);
  await context.close();
}

/**
 * A person's session, memories with links and PINs, and an album of the memories, read with their permissions.
 * @param {{ email: string, memories: Record<Subject, string> }} family
 */
async function openFamily({ email, memories: names }) {
  const { supabaseAnonKey } = await (await fetch(`${address}/config.json`)).json();
  const { createClient } = await import("@supabase/supabase-js");
  const { default: WebSocket } = await import("ws");
  const client = createClient(address, supabaseAnonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: /** @type {never} */ (WebSocket) },
  });
  const { data: entered, error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  if (error) throw error;
  const { data: memories } = await client
    .from("memories")
    .select("id,person_name,share_links(share_id,has_pin)")
    .throwOnError();
  const albums = client.from("albums");
  const existing = await albums.select("id").eq("name", ALBUM).limit(1).maybeSingle().throwOnError();
  const album = existing.data ?? (await albums.insert({ name: ALBUM }).select("id").single().throwOnError()).data;
  await client.rpc("put_in_album", { album_id: album.id, ids: memories.map(({ id }) => id) }).throwOnError();
  /** @param {Subject} subject */
  const factsOf = (subject) => {
    const row = memories.find(({ person_name }) => person_name === names[subject]);
    const [link] = row?.share_links ?? [];
    return {
      memory: names[subject],
      memoryId: String(row?.id),
      shareId: String(link?.share_id),
      pin: link?.has_pin ? "2468" : undefined,
    };
  };
  return {
    session: entered.session,
    albumId: String(album.id),
    memories: { tribute: factsOf("tribute"), day: factsOf("day"), life: factsOf("life") },
  };
}
