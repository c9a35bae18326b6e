import { expect, test } from "../support/e2e.ts";
import { startProduct } from "../support/product-server.ts";

test("Spec §2: the home page opens in the language of the visitor's browser", async ({ visit }) => {
  const english = await visit();
  await english.goto("/");
  await expect(english.getByText("Your Private Memory Portal").first()).toBeVisible();
  await expect(english.locator("html")).toHaveAttribute("lang", "en");
  const italian = await visit({ language: "it" });
  await italian.goto("/");
  await expect(italian.locator("html")).toHaveAttribute("lang", "it");
});

test("Spec §2: invalid settings show a Configuration Error screen, and Retry starts the app once they are valid", async ({
  page,
  expectedErrors,
}) => {
  // The failure itself, and requests of the page while the server restarts.
  expectedErrors.push(/Missing or invalid settings: supabaseUrl/, /ERR_CONNECTION_(REFUSED|RESET)/);
  const server = await startProduct({ PUBLIC_URL: "http://skies.example" });
  try {
    await page.goto(server.url);
    await expect(page.getByRole("heading", { name: "Configuration Error" })).toBeVisible();
    await server.restart({ settings: { PUBLIC_URL: server.url } });
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByText("Your Private Memory Portal").first()).toBeVisible();
    // The text is shown before the app has started. The app must not need its server any more.
    await expect(page.locator("#root:not([data-prerendered])")).toBeAttached();
    await page.waitForLoadState("networkidle");
  } finally {
    await server.close();
  }
});

test("Spec §2, §8: failed requests and unknown pages show the specified error screens, whose buttons recover", async ({
  visit,
  expectedErrors,
}) => {
  // Deliberate failures, as the browser and the app report them.
  expectedErrors.push(/ERR_FAILED|ERR_INTERNET_DISCONNECTED|Failed to fetch|nowhere: .*status of 404/);
  const page = await visit();
  const heading = (name: string) => page.getByRole("heading", { name, exact: true });
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  // The text is shown before the app has started, while it still loads its scripts.
  const appIsHere = () => expect(page.locator("#root:not([data-prerendered])")).toBeAttached();
  const open = async (path: string) => {
    await page.goto(path);
    await appIsHere();
  };
  const home = async () => {
    await expect(page.getByRole("heading", { level: 1, name: "Your Private Memory Portal" })).toBeVisible();
    await appIsHere();
  };
  const lose = (path: RegExp) => page.route(path, (route) => route.abort());

  // The server disappears between the page and its settings.
  await lose(/config\.json$/);
  await page.goto("/terms");
  await expect(heading("Application Error")).toBeVisible();
  await expect(page.getByText("Failed to fetch", { exact: true })).toBeVisible();
  // The heading of the page before stands until the new one comes.
  const lostAgain = page.waitForEvent("requestfailed", (request) => request.url().endsWith("config.json"));
  await button("Refresh Page").click();
  await lostAgain;
  await expect(heading("Application Error")).toBeVisible();
  await page.unrouteAll();
  await button("Go Home").click();
  await home();

  // A page's script cannot be loaded, first from a server with another build, then without a network.
  await open("/terms");
  await lose(/assets\/AboutPage/);
  await page.getByRole("banner").getByRole("link", { name: "About" }).click();
  await expect(heading("Oops! Something went wrong")).toBeVisible();
  const text = "We're sorry, but there was an error loading the application. Please try refreshing the page.";
  await expect(page.getByText(text, { exact: true })).toBeVisible();
  await page.unrouteAll();
  await button("Refresh Page").click();
  await expect(heading("About Skies")).toBeVisible();
  await appIsHere();
  await open("/terms");
  await page.context().setOffline(true);
  await page.getByRole("banner").getByRole("link", { name: "Blog" }).click();
  await expect(heading("Oops! Something went wrong")).toBeVisible();
  await page.context().setOffline(false);
  await button("Go Home").click();
  await home();

  await open("/nowhere");
  await expect(heading("Page not found")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Go Home" }).click();
  await home();
});

test("Spec §8: errors that people see reach analytics after consent, also if the app could not start", async ({
  visit,
  server,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED|Failed to fetch/);
  const collector = `${server.url}/sandbox/analytics/events`;
  const errors = async () => {
    const { events } = (await (await fetch(collector)).json()) as { events: { event: string }[] };
    return events.filter(({ event }) => /error|exception/i.test(event)).length;
  };
  await fetch(collector, { method: "DELETE" });
  const fail = async (consent: "accepted" | "declined") => {
    const page = await visit({ consent });
    await page.route(/config\.json$/, (route) => route.abort());
    await page.goto("/terms");
    await expect(page.getByText("Skies could not start. Your memories are safe.", { exact: false })).toBeVisible();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Refresh Page" }).click();
    await expect(page.locator("#root:not([data-prerendered])")).toBeAttached();
    return page;
  };
  await fail("declined");
  expect(await errors()).toBe(0);
  const page = await fail("accepted");
  await expect.poll(errors).toBeGreaterThan(0);
  const started = await errors();
  await page.route(/assets\/AboutPage/, (route) => route.abort());
  await page.getByRole("banner").getByRole("link", { name: "About" }).click();
  await expect(page.getByRole("heading", { name: "Oops! Something went wrong" })).toBeVisible();
  await expect.poll(errors).toBeGreaterThan(started);
});

test("a page whose scripts could not be loaded loads itself again, and otherwise says so and offers another attempt", {
  tag: "@sample",
}, async ({ visit, person, expectedErrors }) => {
  expectedErrors.push(/ERR_FAILED|SyntaxError|Unexpected/);
  const ada = await person("Ada");
  const page = await visit({ as: ada });
  const app = /\/assets\/index-[^/]*\.js$/;
  const hasApp = () =>
    expect.poll(() => page.evaluate(() => "served" in (document.getElementById("root") ?? {}))).toBe(true);
  const message = page.getByRole("alert").filter({ hasText: "This page is incomplete." });

  // The network fails once.
  await page.route(app, (route) => route.abort(), { times: 1 });
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await hasApp();

  // It fails each time, or half of the file arrives.
  for (const fail of ["nothing", "half"] as const) {
    await page.route(app, (route) =>
      fail === "nothing" ? route.abort() : route.fulfill({ contentType: "text/javascript", body: "const half = {" }),
    );
    await page.goto("/dashboard");
    await expect(message).toBeVisible();
    await page.unrouteAll({ behavior: "wait" });
    await message.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await hasApp();
  }

  // A page that can be read stays.
  const visitor = await visit({ language: "it" });
  await visitor.route(app, (route) => route.abort());
  await visitor.goto("/terms");
  await expect(visitor.getByRole("alert").getByRole("button", { name: "Riprova" })).toBeVisible();
  await expect(visitor.getByRole("heading", { level: 1 })).toBeVisible();
});
