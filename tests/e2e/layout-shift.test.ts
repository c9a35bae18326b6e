import type { Page } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";
import { memoryWith } from "../support/gallery.ts";
import { shiftsOn, watchShifts } from "../support/layout-shift.ts";
import { photoPaths } from "../support/photos.ts";
import { shareFirstLink } from "../support/sharing.ts";

test("the pages of a signed-in person load without layout shifts", async ({ visit, person }) => {
  const ada = await person("Ada", { plan: "skies-memories" });
  const { id } = await memoryWith(ada, await photoPaths("gps-nikon.jpg", "kodak-1998.jpg"));
  const page = await visit({ as: ada });
  for (const path of [`/memory/${id}`, "/", "/memory/new", "/dashboard"]) {
    const fresh = await page.context().newPage();
    await watchShifts(fresh);
    await fresh.goto(path, { waitUntil: "networkidle" });
    await expect(fresh.getByRole("heading").first()).toBeVisible();
    expect(await shiftsOn(fresh), `layout shift at ${path}`).toEqual([]);
    await fresh.close();
  }
});

/** Limits what a page receives, in bytes per second, until the returned session is detached. */
async function limitLine(page: Page, bytesPerSecond: number) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Network.enable");
  const line = { downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond };
  await cdp.send("Network.emulateNetworkConditions", { offline: false, latency: 0, ...line });
  return cdp;
}

test("public pages load over a slow connection without layout shifts", async ({ visit }) => {
  const page = await visit();
  // The style sheet is in the cache, so that the browser paints each piece of the page as it comes.
  await page.goto("/", { waitUntil: "networkidle" });
  for (const path of ["/pricing", "/get-started", "/help", "/shared/nobodysLinkOfAnyMemory"]) {
    const shifts: Awaited<ReturnType<typeof shiftsOn>> = [];
    // A busy machine may paint late; a page that cannot be painted in pieces is never painted before its end.
    await expect(async () => {
      const fresh = await page.context().newPage();
      try {
        await watchShifts(fresh);
        const cdp = await limitLine(fresh, 12 * 1024);
        await fresh.goto(path, { waitUntil: "domcontentloaded" });
        const [painted = 0, parsed = 0] = await fresh.evaluate(() => [
          performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
          performance
            .getEntriesByType("navigation")
            .map((entry) => (entry as PerformanceNavigationTiming).domInteractive)[0],
        ]);
        await cdp.detach();
        await expect(fresh.locator("#root:not([data-prerendered])")).toBeAttached();
        shifts.push(...(await shiftsOn(fresh)));
        expect(painted, `${path} is painted`).toBeGreaterThan(0);
        expect(painted, `${path} is painted in pieces`).toBeLessThan(parsed);
      } finally {
        await fresh.close();
      }
    }).toPass();
    expect(shifts, `layout shift at ${path}`).toEqual([]);
  }
});

/**
 * Shows each beginning of a page's body that ends at a tag, as a slow line brings them. Returns which elements moved from
 * one to the next while they were in sight, except for parts of a line of text.
 */
const movedWhileRead = (page: Page, html: string) =>
  page.evaluate((html) => {
    const { body } = new DOMParser().parseFromString(html, "text/html");
    for (const element of body.querySelectorAll("script, svg > *")) element.remove();
    const parts = body.innerHTML.split(/(?=<)/);
    // The parts since the last one that came into sight; what follows a page's first screen moves nothing in it.
    let outOfSight = 0;
    let places: (string | undefined)[] = [];
    const moved = new Set<string>();
    for (const [at] of parts.entries()) {
      document.body.innerHTML = parts.slice(0, at + 1).join("");
      const elements = [...document.querySelectorAll("#root :not(.sr-only)")];
      const inSight = places.filter(Boolean).length;
      places = elements.map((element, index) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        if (width === 0 || height === 0 || y >= innerHeight) return undefined;
        const place = `${Math.round(x)}, ${Math.round(y)}`;
        const before = places[index];
        if (before === place) return place;
        if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return undefined;
        const isMoved = before !== undefined && getComputedStyle(element).display !== "inline";
        if (isMoved) moved.add(`${before} to ${place}: ${element.outerHTML.slice(0, 150)}`);
        return place;
      });
      outOfSight = places.filter(Boolean).length > inSight ? 0 : outOfSight + 1;
      if (inSight > 20 && outOfSight > 60) break;
    }
    return [...moved];
  }, html);

test("nothing in sight moves while the browser reads a public page, wherever a slow line pauses", {
  tag: "@long",
}, async ({ visit, expectedErrors }) => {
  expectedErrors.push(/net::ERR_FAILED/);
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 740 },
  ]) {
    const page = await visit({ viewport });
    await page.route("**/*.js", (route) => route.abort());
    for (const path of [
      "/",
      "/about",
      "/get-started",
      "/pricing",
      "/shop",
      "/help",
      "/blog",
      "/shared/nobodysLinkOfAnyMemory",
    ]) {
      const answer = await page.goto(path);
      expect(await movedWhileRead(page, (await answer?.text()) ?? ""), `${path} at ${viewport.width} px`).toEqual([]);
    }
  }
});

/** Blocks all fonts until the returned function is called. */
async function holdFonts(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/*.woff2", async (route) => {
    await released;
    await route.continue();
  });
  return () => release();
}

test("late fonts cause no layout shift on a prerendered page, and the next page uses them", { tag: "@sample" }, async ({
  visit,
}) => {
  const page = await visit({ viewport: { width: 412, height: 800 } });
  await watchShifts(page);
  for (const path of ["/pricing", "/help", "/affiliates", "/get-started"]) {
    const release = await holdFonts(page);
    await page.goto(path, { waitUntil: "domcontentloaded" });
    await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
    await expect(page.locator("#root:not([data-prerendered])")).toBeAttached();
    release();
    await page.evaluate(() => document.fonts.ready);
    // Two frames after the fonts have arrived, a shift would have been painted.
    await page.evaluate(
      () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(() => painted(0)))),
    );
    expect(await shiftsOn(page), `layout shift at ${path}`).toEqual([]);
    await page.unroute("**/*.woff2");
  }
  const fonts = () => page.evaluate(() => getComputedStyle(document.body).fontFamily);
  expect(await fonts()).not.toContain("Source Sans 3");
  await page.goto("/pricing");
  await expect(page.locator("#root:not([data-prerendered])")).toBeAttached();
  await page.getByRole("link", { name: "Login", exact: true }).click();
  await expect.poll(fonts).toContain("Source Sans 3");
});

test("an opened memory changes all its text to the web fonts without a layout shift", async ({ visit, person }) => {
  const ada = await person("Ada", { plan: "skies-memories" });
  const { id, share_id } = await memoryWith(ada, await photoPaths("gps-nikon.jpg", "kodak-1998.jpg"), {
    description: "<h2>Her garden</h2><p>She knew every tree by name.</p><blockquote>And told me.</blockquote>",
  });
  await shareFirstLink(ada.client, id);
  const page = await visit({ viewport: { width: 412, height: 800 } });
  await watchShifts(page);
  const release = await holdFonts(page);
  await page.goto(`/shared/${share_id}`);
  /** The texts that are still shown in a fallback font. */
  const standIns = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("body :not(script, style, template)")]
        .filter(({ childNodes }) => [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE))
        .filter((element) => !/^"(Source Sans 3|Literata) Variable"/.test(getComputedStyle(element).fontFamily))
        .map(({ textContent }) => textContent),
    );
  await expect(page.getByText("And told me.")).toHaveCSS("font-family", /^"Literata fallback"/);
  expect(await standIns()).toContain("And told me.");
  release();
  await expect.poll(standIns).toEqual([]);
  await expect(page.getByText("And told me.")).toHaveCSS("font-family", /^"Literata Variable"/);
  expect(await shiftsOn(page)).toEqual([]);
});
