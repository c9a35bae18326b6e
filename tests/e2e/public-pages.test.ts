import { expect, test } from "../support/e2e.ts";
import { textsIn } from "../support/texts.ts";

const say = textsIn("en");

test("Spec §5, §7: a visitor writes to us: each missing word is named, and nothing typed is lost", async ({
  visit,
}) => {
  const page = await visit();
  await page.setViewportSize({ width: 360, height: 780 });
  await page.goto("/contact-us");
  const preview = await page.locator('meta[property="og:image"]').getAttribute("content");
  const picture = await page.request.get(new URL(preview ?? "").pathname);
  expect(picture.headers()["content-type"]).toBe("image/jpeg");
  const submit = page.getByRole("button", { name: say("contact:submit") });
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

test("Spec §2: visitors and people with an account find every page about Skies, on a phone too", async ({
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

test("Spec §2, §8: no third party is told anything, and nothing is stored for one, but from a yes until a no", async ({
  visit,
  server,
}) => {
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
  const decline = page.getByRole("button", { name: say("layout:consent.decline") });
  const accept = page.getByRole("button", { name: say("layout:consent.accept") });

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

test("whoever says what they would like to keep arrives there, by way of an account", async ({ visit, person }) => {
  const page = await visit({ as: await person("Ada") });
  await page.goto("/get-started");
  await page.getByRole("link", { name: say("getStarted:day.title") }).click();
  await expect(page).toHaveURL(/\/memory\/new\?kind=event$/);
  await expect(page.getByRole("radio", { name: say("memories:fields.event") })).toBeChecked();
});
