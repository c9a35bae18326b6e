import type { Page } from "@playwright/test";
import { pagePatterns } from "../../shared/pages.ts";
import { expect, test } from "../support/e2e.ts";
import { LONG, sampled } from "../support/long-tests.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");

test("Spec §5, §7: the contact form names each missing field, keeps the typed text and sends it", async ({
  visit,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/);
  const page = await visit();
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto("/contact-us");
  const preview = await page.locator('meta[property="og:image"]').getAttribute("content");
  const picture = await page.request.get(new URL(preview ?? "").pathname);
  expect(picture.headers()["content-type"]).toBe("image/jpeg");
  const submit = page.getByRole("button", { name: say("contact:submit") });
  // The script that checks the form fails to load: the page reports it, and loads it again on the next attempt.
  await page.route(/assets\/email-.*\.js$/, (route) => route.abort());
  await submit.click();
  await expect(page.getByRole("alert")).toBeVisible();
  await page.unrouteAll();
  await submit.click();
  for (const text of ["Name is required", "Email is required", "Subject is required", "Message is required"]) {
    await expect(page.getByText(text, { exact: true })).toBeVisible();
  }
  await page.getByLabel(say("contact:name")).fill("Nia");
  await page.getByLabel(say("contact:email")).fill("nia");
  await page.getByLabel(say("contact:subject")).fill("A card");
  await page.getByLabel(say("contact:message")).fill("Does it last?");
  await submit.click();
  await expect(page.getByText("Invalid email format", { exact: true })).toBeVisible();
  await expect(page.getByLabel(say("contact:message"))).toHaveValue("Does it last?");
  await page.getByLabel(say("contact:email")).fill("nia@example.com");
  await submit.click();
  await expect(page.getByRole("heading", { name: say("contact:sent.title") })).toBeVisible();
});

test("Spec §2: on a phone, visitors and signed-in people reach the public pages from the menu and the footer", async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  for (const page of [await visit(), await visit({ as: ada })]) {
    await page.setViewportSize({ width: 360, height: 780 });
    for (const link of ["pricing", "about", "blog"] as const) {
      await page.goto("/privacy");
      const menu = page.getByRole("banner").getByLabel(say("layout:menu"));
      await menu.click();
      const choice = page.getByRole("link", { name: say(`layout:${link}`), exact: true });
      await choice.or(page.getByRole("menuitem", { name: say(`layout:${link}`), exact: true })).click();
      await expect(page).toHaveURL(new RegExp(`/${link}$`));
    }
    await page.goto("/about");
    for (const link of ["terms", "contact", "privacy"] as const) {
      await page
        .getByRole("contentinfo")
        .getByRole("link", { name: say(`layout:${link}`) })
        .click();
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    }
  }
});

const TITLES = { privacy: "legal:privacy", terms: "legal:terms", contact: "contact:title" } as const;

test("Spec §2, §8: analytics store and send data only from consent until its withdrawal", async ({ visit, server }) => {
  const collector = `${server.url}/sandbox/analytics`;
  await fetch(`${collector}/events`, { method: "DELETE" });
  const page = await visit({ consent: null });
  const requests: URL[] = [];
  page.context().on("request", (request) => requests.push(new URL(request.url())));
  const toThirdParties = () =>
    requests.filter(({ origin, pathname }) => origin !== server.url || pathname.startsWith("/sandbox/"));
  const stored = async () => [
    ...(await page.context().cookies()).map(({ name }) => name),
    ...(await page.evaluate(async () => [
      ...Object.keys(localStorage),
      ...Object.keys(sessionStorage),
      ...(await indexedDB.databases()).map(({ name }) => name),
    ])),
  ];
  const goTo = async (link: "privacy" | "terms" | "contact") => {
    const footer = page.getByRole("contentinfo");
    await footer.getByRole("link", { name: say(`layout:${link}`) }).click();
    await expect(page.getByRole("heading", { level: 1, name: say(TITLES[link]) })).toBeVisible();
  };
  const decline = page.getByRole("button", { name: say("consent:decline") });
  const accept = page.getByRole("button", { name: say("consent:accept") });

  await page.goto("/about");
  await expect(accept).toBeVisible();
  await goTo("terms");
  expect(await stored()).toEqual([]);
  await decline.click();
  await goTo("privacy");
  await expect(page.getByText(say("legal:cookies.declined"))).toBeVisible();
  expect(await stored()).toEqual(["cookie_consent"]);
  expect(toThirdParties()).toEqual([]);

  await page.getByRole("button", { name: say("legal:cookies.change") }).click();
  await accept.click();
  await expect(page.getByText(say("legal:cookies.accepted"))).toBeVisible();
  await goTo("contact");
  const received = async () => {
    const { events } = (await (await fetch(`${collector}/events`)).json()) as { events: Record<string, string>[] };
    return events.map(({ vendor, event, page }) => `${vendor} ${event} ${page?.replace(server.url, "")}`).sort();
  };
  const views = (path: string) => [
    `ga4 page_view ${path}`,
    `meta PageView ${path}`,
    `plausible pageview ${path}`,
    `tiktok Pageview ${path}`,
  ];
  await expect.poll(received).toEqual([...views("/privacy"), ...views("/contact-us")].sort());
  expect((await stored()).sort()).toEqual(["analytics", "cookie_consent"]);

  await page
    .getByRole("contentinfo")
    .getByRole("button", { name: say("layout:cookies") })
    .click();
  await expect(accept).toBeVisible();
  const before = toThirdParties().length;
  await goTo("terms");
  expect(await stored()).toEqual([]);
  expect(toThirdParties()).toHaveLength(before);
});

test("sun and moon are never behind words at the head of a public page", async ({ visit }) => {
  // Italian words are longer.
  for (const language of LONG ? (["en", "it"] as const) : (["it"] as const)) {
    for (const [width, height] of [
      [360, 740],
      [1024, 768],
    ] as const) {
      const page = await visit({ language, viewport: { width, height } });
      for (const hour of [13, 22]) {
        await page.clock.setFixedTime(new Date(2026, 6, 11, hour));
        for (const path of ["/", "/home", "/about", "/contact-us", "/pricing", "/affiliates"]) {
          await page.goto(path);
          await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
          expect(await page.evaluate(wordsOnLight), `${path}, ${width} px, ${language}, ${hour} o'clock`).toEqual([]);
        }
      }
    }
  }
});

/** Returns the words of the page that overlap the sun or the moon of its head. */
function wordsOnLight(): string[] {
  const sky = document.querySelector("main .sky-head > svg");
  const discs = [...(sky?.querySelectorAll("circle") ?? [])]
    .filter((circle) => circle.getAttribute("r") === "1" && !circle.closest("mask"))
    .map((circle) => circle.getBoundingClientRect());
  if (discs.length === 0) return ["no sun or moon"];
  const overlapping: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (!text.textContent?.trim() || text.parentElement?.closest("details:not([open]), script, style")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const overlaps = [...range.getClientRects()].some(
      (box) =>
        box.width > 1 &&
        discs.some(
          (disc) => box.left < disc.right && box.right > disc.left && box.top < disc.bottom && box.bottom > disc.top,
        ),
    );
    if (overlaps) overlapping.push(text.textContent.trim());
  }
  return overlapping;
}

test("buttons of plans side by side have the same height, also if one has two lines", async ({ visit }) => {
  const page = await visit({ language: "it", viewport: { width: 1024, height: 768 } });
  await page.goto("/pricing");
  const buttons = page.getByRole("button", { name: /^Scegli Skies/ });
  await expect(buttons).toHaveCount(3);
  const heights = await buttons.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().height)));
  expect(new Set(heights).size).toBe(1);
});

test("on phones no help button covers a page; the footer has the link, whose panel stays on its page and in its tab", async ({
  visit,
}) => {
  const page = await visit({ viewport: { width: 360, height: 740 } });
  for (const path of ["/login", "/register", "/pricing", "/about"]) {
    await page.goto(path);
    await expect(
      page.getByRole("contentinfo").getByRole("link", { name: say("layout:help"), exact: true }),
    ).toBeVisible();
    await expect(page.getByRole("button", { name: say("layout:help"), exact: true })).toBeHidden();
  }
  const panel = page.getByRole("dialog", { name: say("help:title") });
  await expect(page.locator("#root:not([data-prerendered])")).toBeAttached();
  await page
    .getByRole("contentinfo")
    .getByRole("link", { name: say("layout:help"), exact: true })
    .click();
  await expect(panel).toBeVisible();
  const tab = await page.context().newPage();
  await tab.goto("/about");
  await expect(tab.locator("#root:not([data-prerendered])")).toBeAttached();
  await expect(tab.getByRole("dialog", { name: say("help:title") })).toHaveCount(0);
  await page.reload();
  await expect(panel).toBeVisible();
  // The panel covers most of the phone's window, so the link gets the key.
  await page
    .getByRole("contentinfo")
    .getByRole("link", { name: say("layout:terms") })
    .press("Enter");
  await expect(page).toHaveURL("/terms");
  await expect(panel).toHaveCount(0);
});

test("a choice on the get-started page opens the form for that kind of memory", async ({ visit, person }) => {
  const page = await visit({ as: await person("Ada") });
  await page.goto("/get-started");
  await page.getByRole("link", { name: say("getStarted:day.title") }).click();
  await expect(page).toHaveURL(/\/memory\/new\?kind=event$/);
  await expect(page.getByRole("radio", { name: say("memories:fields.event") })).toBeChecked();
});

test("the help panel finds answers, keeps an unsent message, and shows which page is sent with it", async ({
  visit,
  server,
}) => {
  const page = await visit({ viewport: { width: 800, height: 780 } });
  await page.goto("/pricing");
  const button = page.getByRole("button", { name: say("layout:help"), exact: true });
  const panel = page.getByRole("dialog", { name: say("help:title") });
  const search = panel.getByLabel(say("help:search"));
  await button.click();
  await expect(panel).toBeFocused();
  await expect(button).toBeHidden();
  await search.fill("asks for a pin");
  await panel.getByText(say("help:questions.pin.ask")).click();
  await expect(panel.getByText(say("help:questions.pin.answer"))).toBeVisible();
  await search.fill("elephants");
  await expect(panel.getByRole("status").first()).toHaveText(say("help:none"));
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();

  // On another page, and after a reload, the panel is as it was left.
  await page.goto("/shared/nobodysLinkOfAnyMemory");
  const foot = page.getByRole("contentinfo").getByRole("link", { name: say("layout:help") });
  // Before the app has started, the link leads to a separate page.
  await expect(page.locator("#root:not([data-prerendered])")).toBeAttached();
  await foot.click();
  await expect(panel).toBeFocused();
  await page.reload();
  await panel.getByRole("button", { name: say("help:write.open") }).click();
  await expect(panel.getByText("/shared/…")).toBeVisible();
  await panel.getByLabel(say("contact:name")).fill("Nia");
  await panel.getByLabel(say("contact:email")).fill("nia@example.com");
  await panel.getByLabel(say("contact:message")).fill("Which PIN?");
  // A person who closes the panel and opens another page finds their text again.
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await page.reload();
  await expect(page.locator("#root:not([data-prerendered])")).toBeAttached();
  await foot.click();
  await expect(panel.getByLabel(say("contact:message"))).toHaveValue("Which PIN?");
  await panel.getByRole("button", { name: say("contact:submit") }).click();
  await expect(panel.getByRole("heading", { name: say("contact:sent.title") })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("skies-help-message"))).toBeNull();
  await server.change(async (db) => {
    const { rows } = await db.query<{ subject: string; message: string }>(
      "select subject, message from contact_messages where email = 'nia@example.com' order by created_at desc limit 1",
    );
    expect(rows[0]?.subject).toBe("Help: /shared/…");
    expect(rows[0]?.message).toMatch(/Which PIN\?.*Page: \/shared\/….*Browser: Mozilla/s);
  });
});

/** Spec §2: the paths on which visitors see no header. */
const HEADERLESS = ["/", "/login", "/register", "/about", "/pricing", "/blog", "/contact-us", "/affiliates"];

/** Goes to each path without reloading the app, from "/" each time, so that header and footer change with each page. */
const framesOf = (page: Page, paths: string[]) =>
  page.evaluate(async (paths) => {
    const has = (tag: string) => document.querySelector(`#root ${tag}`) !== null;
    const until = async (met: () => boolean) => {
      while (!met()) await new Promise(requestAnimationFrame);
    };
    const go = async (path: string) => {
      history.pushState(null, "", path);
      dispatchEvent(new PopStateEvent("popstate"));
      // A page may redirect to another, like those for signing in.
      await until(() => has("footer") === (location.pathname !== "/"));
    };
    const frames: { path: string; header: boolean; footer: boolean }[] = [];
    for (const path of paths) {
      await go("/");
      await go(path);
      frames.push({ path: location.pathname, header: has("header"), footer: has("footer") });
    }
    return frames;
  }, paths);

test("Spec §2: an address that was cut off leads to the page's not-found view, not to a failed connection", async ({
  visit,
  person,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 404/);
  const page = await visit({ as: await person("Ada") });
  for (const [path, title] of [
    ["/memory/abc", "memories:page.missingTitle"],
    ["/memory/abc/waiting", "memories:page.missingTitle"],
    ["/memory/abc/print", "memories:page.missingTitle"],
    ["/memory/abc/service", "memories:page.missingTitle"],
    ["/memory/abc/slideshows", "memories:page.missingTitle"],
    ["/groups/abc", "albums:missingTitle"],
    ["/orders/abc", "orders:missing"],
    ["/cards/abc", "ownCards:personalise.missing"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: say(title) })).toBeVisible();
    await expect(page.getByText(say("common:problem.safe"))).toHaveCount(0);
  }
});

test("Spec §2: every route has its header and footer, signed in and out, and the navigation is in both languages", async ({
  visit,
  person,
  expectedErrors,
}) => {
  // Pages of objects that do not exist.
  expectedErrors.push(/status of (40[01346]|410)/);
  const paths = pagePatterns
    .map((path) =>
      path
        .replace("*", "nowhere")
        .replace(/^(?!\/)/, "/")
        .replace(/:\w+/g, "a-box-of-slides"),
    )
    // A wall fills its screen, and the page of a question has only the question.
    .filter((path) => !path.startsWith("/wall/") && path !== "/answer");
  const ada = await person("Ada");
  for (const language of ["en", "it"] as const) {
    const say = textsIn(language);
    for (const as of [undefined, ada]) {
      const page = await visit({ as, language });
      await page.goto("/shop");
      await expect(page.locator("#root:not([data-prerendered])")).toBeAttached();
      const nav = page.getByRole("navigation", { name: say("layout:navigation") });
      const link = (text: string) => nav.getByRole("link", { name: text, exact: true });
      if (as) {
        for (const text of ["memories", "albums", "profile"] as const)
          await expect(link(say(`layout:${text}`))).toBeVisible();
        await expect(nav.getByRole("button", { name: say("layout:signOut") })).toBeVisible();
        await expect(link(say("layout:createMemory"))).toHaveCount(0);
      } else {
        for (const text of ["login", "startFree", "pricing", "about", "blog"] as const)
          await expect(link(say(`layout:${text}`))).toBeVisible();
        await expect(nav.getByRole("button", { name: language === "en" ? "it Italiano" : "en English" })).toBeVisible();
      }
      // On a tablet the header fits into the window.
      const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
      await page.setViewportSize({ width: 768, height: 1024 });
      const scrollWidth = () => page.evaluate(() => document.documentElement.scrollWidth);
      await expect.poll(scrollWidth, `${language}, ${as ? "signed in" : "signed out"}`).toBe(768);
      await page.setViewportSize({ width, height });
      // Header and footer depend only on the reader and the path, so the Italian texts are checked on one page.
      if (language === "it" && !LONG) continue;
      const frames = await framesOf(page, sampled(paths, Math.ceil(paths.length / 2)));
      expect(frames, `${language}, ${as ? "signed in" : "signed out"}`).toEqual(
        frames.map(({ path }) => ({
          path,
          header: as !== undefined || !HEADERLESS.includes(path),
          footer: path !== "/",
        })),
      );
    }
  }
});
