import type { Page } from "@playwright/test";
import { expect, PHONE, test } from "../support/e2e.ts";
import { memoryWith } from "../support/gallery.ts";
import { shiftsOn, watchShifts } from "../support/layout-shift.ts";
import { sampled } from "../support/long-tests.ts";
import type { Person } from "../support/people.ts";
import { photoPaths } from "../support/photos.ts";
import { textsIn } from "../support/texts.ts";

const KB = 1024;

/** Keeps the app's scripts back until the returned function is called. */
async function holdScripts(page: Page) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** A shared memory with a photo as its cover. */
async function memoryWithCover(person: Person) {
  const memory = await memoryWith(person, await photoPaths("landscape-orientation-1.jpg"), {
    person_name: "Grandpa",
    description: "<p>He fished.</p>",
  });
  const photo = await person.client.from("media").select("id").eq("memory_id", memory.id).single().throwOnError();
  await person.client.rpc("set_cover", { media_id: photo.data.id }).throwOnError();
  return memory;
}

/** The path of the link of a memory with a cover, opened with the PIN 0417. */
async function linkWithPin(person: Person): Promise<string> {
  const { client } = person;
  const { id, share_id } = await memoryWithCover(person);
  const { data: link } = await client.from("share_links").select("id").eq("memory_id", id).single().throwOnError();
  const { error } = await client.functions.invoke("share-pin", { body: { linkId: link.id, pin: "0417" } });
  if (error) throw error;
  return `/shared/${share_id}`;
}

test("a PIN is typed before any script has loaded, and one response opens the memory with its first screen", {
  tag: "@sample",
}, async ({ visit, person, expectedErrors }) => {
  expectedErrors.push(/net::ERR_FAILED/);
  const page = await visit();
  await watchShifts(page);
  const release = await holdScripts(page);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));

  await page.goto(await linkWithPin(await person("Ada")), { waitUntil: "commit" });
  const boxes = page.getByRole("textbox");
  await expect(boxes.first()).toBeFocused();
  // The page alone: its looks, its words and what moves the digits on are in it.
  const before = requests.filter((url) => !url.endsWith(".js")).map((url) => new URL(url).pathname);
  expect(before.filter((path) => !/^\/(shared\/|config\.json$|favicon)/.test(path))).toEqual([]);
  await page.keyboard.type("048");
  await page.keyboard.press("Backspace");
  await expect(boxes.nth(2)).toHaveValue("");
  expect(await shiftsOn(page)).toEqual([]);
  await page.keyboard.type("17");
  // The link is opened and what follows is fetched, whenever the app comes.
  await expect.poll(() => requests.filter((url) => url.endsWith("/open-share")).length).toBe(1);
  await expect.poll(() => requests.some((url) => url.includes("/assets/SharedContent-"))).toBe(true);
  // Its rows and addresses need no request of their own; not one of those gets through.
  await page.route(/\/(rest|storage)\/v1\/(?!render\/)/, (route) => route.abort());
  release();
  await expect(page.getByRole("heading", { level: 1, name: "Grandpa" })).toBeVisible();
  await expect(page.getByText("He fished.")).toBeVisible();
  const cover = page.locator('img[src*="/storage/v1/render/image/sign/"]').first();
  await expect.poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
});

test("a link without a PIN shows the memory's header before any script has loaded, and the app does not move it", async ({
  visit,
  person,
}) => {
  const { share_id } = await memoryWithCover(await person("Ada"));
  for (const viewport of [PHONE.viewport, { width: 1440, height: 900 }]) {
    const page = await visit({ viewport });
    await watchShifts(page);
    const release = await holdScripts(page);
    // Reading the app keeps a phone busy: it starts after the memory's head. Its files are fetched before.
    await page.addInitScript(() => {
      new MutationObserver(() => {
        if (!document.querySelector("script[type=module]")) return;
        document.documentElement.dataset.startsAfter ??= document.querySelector("#root + div h1")?.textContent ?? "";
      }).observe(document, { childList: true, subtree: true });
    });
    const fetched = page.waitForRequest(/\/assets\/index-[^/]*\.js$/);
    await page.goto(`/shared/${share_id}`, { waitUntil: "commit" });
    await fetched;
    await expect(page.locator("html")).toHaveAttribute("data-starts-after", "Grandpa");
    const served = page.locator("#root + div");
    const cover = served.locator("img");
    await expect.poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    const boxes = await Promise.all(
      [cover, served.locator("h1"), served.locator("p")].map((part) => part.boundingBox()),
    );
    // It is opened before the style sheet is read, which takes a phone a tenth of a second.
    const html = await (await page.request.get(`/shared/${share_id}`)).text();
    expect(html.search(/<script data-gate>.*<style>/s)).toBeGreaterThan(0);
    release();
    await expect(served).toHaveCount(0);
    const name = page.getByRole("heading", { level: 1, name: "Grandpa" });
    const own = [page.locator("article img").first(), name, name.locator("+ p")];
    expect(await Promise.all(own.map((part) => part.boundingBox()))).toEqual(boxes);
    expect(await shiftsOn(page)).toEqual([]);
  }
});

test("text and clicks before the app has loaded are kept and take effect afterwards", async ({ visit }) => {
  const say = textsIn("en");
  const page = await visit();
  const release = await holdScripts(page);
  await page.goto("/contact-us", { waitUntil: "commit" });
  await page.getByLabel(say("contact:name"), { exact: true }).fill("Ada");
  await page.getByRole("button", { name: say("contact:submit") }).click();
  release();
  await expect(page.getByText("Email is required")).toBeVisible();
  await expect(page.getByText("Name is required")).toHaveCount(0);
  await expect(page.getByLabel(say("contact:name"), { exact: true })).toHaveValue("Ada");

  // Several presses are repeated in their order; an impatient one counts once.
  const shop = await visit();
  const reading = await holdScripts(shop);
  await shop.goto("/shop", { waitUntil: "commit" });
  await shop.getByLabel(say("cards:words.name"), { exact: true }).fill("Rosa Bianchi");
  const more = shop.getByRole("button", { name: say("cards:shop.more") });
  await more.click();
  await more.click();
  await shop.getByRole("button", { name: say("cards:shop.add") }).click();
  reading();
  // One who is not signed in signs in first, and the words and the number are kept meanwhile.
  await expect(shop).toHaveURL(/\/(login|register)/);
  const storages = await shop.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(storages).toMatch(/quantity\W+2\b/);

  // In a part of the page that React takes over after the others.
  const home = await visit();
  await home.clock.setFixedTime("2026-01-01T23:00:00Z");
  const takeOver = await holdScripts(home);
  await home.goto("/", { waitUntil: "commit" });
  const heading = home.getByRole("heading", { level: 1 });
  // A sky at night, and white text on it, from the first that is painted: the first bytes may be read before the styles.
  await expect(heading).toHaveCSS("color", "rgb(255, 255, 255)");
  const sky = () =>
    home
      .locator("section svg[style]")
      .first()
      .evaluate((svg) => getComputedStyle(svg).backgroundColor);
  const night = await sky();
  expect(Math.max(...Array.from(night.matchAll(/\d+/g), Number))).toBeLessThan(96);
  await home.getByRole("radio", { name: "Italiano" }).click();
  takeOver();
  await expect(home.locator("html")).toHaveAttribute("lang", "it");
  await expect(home.getByRole("radio", { name: "Italiano" })).toBeChecked();
  expect(await sky()).toBe(night);
  await expect(heading).toHaveCSS("color", "rgb(255, 255, 255)");
});

test("public pages can be read without scripts, in the reader's language, and none of their links is broken", async ({
  visit,
}) => {
  const page = await visit();
  const links = new Set<string>();
  for (const language of ["en", "it"] as const) {
    const say = textsIn(language);
    const phrases = {
      "/": say("home:hero.tagline"),
      "/about": say("about:why.first"),
      "/get-started": say("getStarted:text"),
      "/pricing": say("pricing:choose", { plan: "Skies Memories" }),
      "/shop": language === "en" ? "£" : "€",
      "/affiliates": say("affiliates:example.earned"),
      "/privacy": say("legal:privacy"),
      "/terms": say("legal:terms"),
      "/contact-us": say("contact:text"),
      "/help": say("help:questions.pin.ask"),
      "/blog": language === "en" ? "What to do with a box of slides" : "Che cosa fare con una scatola di diapositive",
      "/blog/a-box-of-slides":
        language === "en" ? "the courage to throw some away" : "il coraggio di buttarne qualcuna",
      "/nothing-here": say("layout:notFound.title"),
    };
    for (const [path, text] of Object.entries(phrases)) {
      const answer = await page.request.get(path, { headers: { "accept-language": `${language}-CH, fr;q=0.5` } });
      const html = (await answer.text()).replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
      expect(html, `${path} in ${language}`).toContain(`<html lang="${language}"`);
      expect(html, `${path} in ${language}`).toContain(text);
      for (const [, link = ""] of html.matchAll(/<a\b[^>]*?\bhref="([^"]*)"/g)) {
        if (link.startsWith("#")) expect(html, `${link} of ${path}`).toContain(`id="${link.slice(1)}"`);
        else links.add(new URL(link, new URL(path, answer.url())).href);
      }
    }
  }
  // Each link on them leads somewhere, and so does each page that search engines learn of.
  const sitemap = await (await page.request.get("/sitemap.xml")).text();
  for (const [, listed = ""] of sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)) links.add(listed.replaceAll("&amp;", "&"));
  expect([...links].filter((link) => /\/(login|help|blog\/a-box-of-slides)$/.test(link))).toHaveLength(3);
  for (const link of links) {
    const { pathname, search } = new URL(link);
    const answer = await page.request.get(pathname + search, { headers: { "accept-language": "en" } });
    expect(answer.status(), link).toBe(200);
    expect(await answer.text(), link).not.toContain(textsIn("en")("layout:notFound.text"));
  }
});

test("a prerendered page is painted before the app's scripts are requested; a reader with another stored language sees only that language", async ({
  visit,
}) => {
  const page = await visit();
  for (const path of ["/", "/pricing", "/shared/nobodysLinkOfAnyMemory"]) {
    await page.goto(path);
    await expect(page.locator("#root:not([data-prerendered])")).toBeAttached();
    const [painted = Number.NaN, askedFor] = await page.evaluate(() => [
      performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
      ...performance
        .getEntriesByType("resource")
        .filter(({ name }) => name.endsWith(".js"))
        .map(({ startTime }) => startTime)
        .sort((one, other) => one - other),
    ]);
    expect(askedFor, path).toBeGreaterThan(painted);
  }
  // Rendered for English. A reader who has chosen Italian on this device sees nothing of it until the app has loaded.
  const english = textsIn("en")("about:why.first");
  await page.addInitScript((text) => {
    const look = () => {
      // biome-ignore lint/performance/useDomNodeTextContent: Only visible text counts.
      if (document.body?.innerText.includes(text)) document.documentElement.dataset.seen = "english";
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, english);
  const seen = page.locator("html[data-seen]");
  await page.goto("/about");
  await expect(seen).toBeAttached();
  await page.evaluate(() => localStorage.setItem("i18nextLng", "it"));
  const answer = await page.goto("/about");
  expect(await answer?.text()).toContain(english);
  await expect(page.getByText(textsIn("it")("about:why.first"))).toBeVisible();
  await expect(seen).toHaveCount(0);
});

test("of a page that arrives in pieces, a reader of another language sees nothing in the served one", {
  tag: "@sample",
}, async ({ visit }) => {
  const page = await visit();
  const english = page.getByText(textsIn("en")("about:why.first"));
  // Only what precedes the script after the page's content.
  await page.route(/\/about$/, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({ response, body: html.slice(0, html.indexOf('<template id="starting">')) });
  });
  await page.goto("/about");
  await expect(english).toBeVisible();
  await page.evaluate(() => localStorage.setItem("i18nextLng", "it"));
  await page.reload();
  await expect(english).toBeAttached();
  await expect(english).toBeHidden();
});

test("public pages load at most 120 KB of JavaScript, and nothing shifts when the app takes over", async ({
  visit,
  expectedErrors,
}) => {
  expectedErrors.push(/nothing-here: .*status of 404/);
  const page = await visit({ consent: null });
  await watchShifts(page);
  const pages = ["/", "/home", "/about", "/get-started", "/pricing", "/shop", "/affiliates", "/privacy", "/terms"];
  const more = [
    "/contact-us",
    "/help",
    "/blog",
    "/blog/a-box-of-slides",
    "/nothing-here",
    "/shared/nobodysLinkOfAnyMemory",
  ];
  for (const path of sampled([...pages, ...more], 8)) {
    await page.goto(path, { waitUntil: "networkidle" });
    await expect(page.locator("#root:not([data-prerendered])")).toBeAttached();
    expect(await shiftsOn(page), path).toEqual([]);
    // As it travelled, also where the browser had it already.
    const bytes = await page.evaluate(() =>
      (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
        .filter(({ name }) => new URL(name).pathname.endsWith(".js"))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    );
    // Behind a share gate the memory's code is fetched ahead, once the PIN can be typed.
    if (path.startsWith("/shared/")) continue;
    expect(bytes, path).toBeGreaterThan(50 * KB);
    expect(bytes, path).toBeLessThanOrEqual(120 * KB);
  }
});

test("a page that the server sent stays while the app's code cannot be loaded, and then takes what was pressed", async ({
  visit,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED|Failed to fetch|status of 404/);
  const page = await visit();
  // The app itself starts; its pages are in other files.
  const late = /\/assets\/(?!index-|rolldown-).*\.js/;
  await page.route(late, (route) => route.abort());
  const notFound = (language: "en" | "it") =>
    page.getByRole("heading", { name: textsIn(language)("layout:notFound.title") });
  await page.goto("/nowhere");
  await page.getByRole("button", { name: "it Italiano" }).click();
  // The pauses between attempts end whenever the browser says that it is online.
  const goOnline = () => page.evaluate(() => void dispatchEvent(new Event("online")));
  await expect(async () => {
    await goOnline();
    await expect(page.getByRole("alert").getByText("This page is incomplete.")).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(notFound("en")).toBeVisible();
  await page.unroute(late);
  await expect(async () => {
    await goOnline();
    await expect(notFound("it")).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(page.getByRole("alert")).toHaveCount(0);
});
