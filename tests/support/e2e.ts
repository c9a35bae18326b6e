import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import { CONSENT_KEY } from "../../web/lib/browser/consent.ts";
import { SESSION_KEY } from "../../web/lib/session/session-key.ts";
import { type Person, signUp, signUpWithPlan } from "./people.ts";
import { type ProductServer, startProduct } from "./product-server.ts";

/** The options of a browser page. */
interface Visit
  extends Pick<
    BrowserContextOptions,
    "colorScheme" | "viewport" | "hasTouch" | "permissions" | "reducedMotion" | "timezoneId"
  > {
  /** The signed-in person; a visitor if absent. */
  as?: Person;
  language?: "en" | "it";
  /** The consent to cookies, by default declined; null if not answered yet. */
  consent?: "accepted" | "declined" | null;
  /** The URL of another server than this worker's. */
  at?: string;
}

/** A small phone. */
export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true };

interface WorkerFixtures {
  /** Starts the built product with these settings for this worker. */
  serverWith: (settings: Record<string, string>) => Promise<ProductServer>;
}

interface TestFixtures {
  /** Settings of the worker's server, by `test.use`. */
  settings: Record<string, string>;
  server: ProductServer;
  /** Opens a page in a new browser context; any error in it fails the test. */
  visit: (visit?: Visit) => Promise<Page>;
  /** Registers a person through the server's API, on the free plan or the given one. */
  person: (name?: string, options?: { plan?: string }) => Promise<Person>;
  /** Patterns of errors that this test provokes on purpose. */
  expectedErrors: RegExp[];
}

/** Playwright's `test` with the running product and people. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  serverWith: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
    async ({}, provide) => {
      const servers = new Map<string, Promise<ProductServer>>();
      await provide((settings) => {
        const key = JSON.stringify(settings);
        const server = servers.get(key) ?? startProduct(settings);
        servers.set(key, server);
        return server;
      });
      for (const server of servers.values()) await (await server).close();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  settings: [{}, { option: true }],
  server: async ({ serverWith, settings }, provide) => provide(await serverWith(settings)),
  baseURL: ({ server }, provide) => provide(server.url),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  expectedErrors: ({}, provide) => provide([]),
  person: ({ server }, provide) =>
    provide((name, { plan } = {}) => (plan ? signUpWithPlan(server, name, plan) : signUp(server, name))),
  context: async ({ context, server, expectedErrors }, provide) => {
    await storeAhead(context, server.url, answered("declined"));
    const errors = watchForErrors(context);
    await provide(context);
    expectOnly(expectedErrors, errors);
  },
  visit: async ({ browser, server, expectedErrors, serviceWorkers }, provide) => {
    const contexts: Awaited<ReturnType<typeof browser.newContext>>[] = [];
    const errors: string[][] = [];
    await provide(async ({ as, language = "en", consent = "declined", at = server.url, ...options } = {}) => {
      const context = await browser.newContext({
        baseURL: at,
        locale: language === "it" ? "it-IT" : "en-GB",
        // Animations take half a processor. Tests of appearance enable them.
        reducedMotion: "reduce",
        serviceWorkers,
        ...options,
      });
      contexts.push(context);
      await storeAhead(context, at, { ...answered(consent), ...(await storedSession(as)) });
      errors.push(watchForErrors(context));
      return context.newPage();
    });
    for (const context of contexts) await context.close();
    expectOnly(expectedErrors, errors.flat());
  },
});

export { expect };

/**
 * Fills the local storage of an origin before its first page in a context runs. Playwright's `storageState` does it in
 * a page of its own, which takes as much processor time as a page of the product.
 */
async function storeAhead(context: BrowserContext, origin: string, entries: Record<string, string>) {
  const script = await context.addInitScript(
    ([origin, entries]) => {
      // Not in a sandboxed page, which has no storage.
      if (self.origin === origin) Object.assign(localStorage, entries);
    },
    [origin, entries] as const,
  );
  let isFilled = false;
  context.on("page", (page) =>
    page.on("framenavigated", (frame) => {
      if (isFilled || new URL(frame.url()).origin !== origin) return;
      // Once, because the product changes and removes what it stores.
      isFilled = true;
      void script.dispose();
    }),
  );
}

/** The session as supabase-js stores it in local storage. */
async function storedSession(person: Person | undefined): Promise<Record<string, string>> {
  if (!person) return {};
  const { data } = await person.client.auth.getSession();
  return { [SESSION_KEY]: JSON.stringify(data.session) };
}

const answered = (consent: "accepted" | "declined" | null): Record<string, string> =>
  consent ? { [CONSENT_KEY]: consent } : {};

const expectOnly = (expected: RegExp[], errors: string[]) =>
  expect(
    errors.filter((error) => !expected.some((pattern) => pattern.test(error))),
    "errors inside the page",
  ).toEqual([]);

/**
 * Collects errors in the pages of a context: uncaught ones, and everything in `console.error`, where Chromium also
 * reports every failed request.
 */
function watchForErrors(context: BrowserContext): string[] {
  const errors: string[] = [];
  // Errors of the browser, e.g. of a missing chunk, have a message and no stack.
  context.on("weberror", (error) => errors.push(`${error.page()?.url()}: ${error.error().stack || error.error()}`));
  context.on("console", (message) => {
    if (message.type() === "error") errors.push(`${message.location().url}: ${message.text()}`);
  });
  // If the server refuses a realtime subscription, the page would retry for ever.
  context.on("page", (page) =>
    page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => {
        // During a sign-out, a channel may receive a visitor's token just before it is left. That is not a join.
        if (/phx_reply.*Unable to subscribe to changes/s.test(String(payload)))
          errors.push(`${page.url()}: ${payload}`);
      }),
    ),
  );
  return errors;
}
