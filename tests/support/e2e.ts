import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import { CONSENT_KEY } from "../../web/lib/browser/consent.ts";
import { SESSION_KEY } from "../../web/lib/session/stored-session.ts";
import { type Person, signUp, signUpWithPlan } from "./people.ts";
import { type ProductServer, startProduct } from "./product-server.ts";

/** How someone looks at the product. */
interface Visit
  extends Pick<
    BrowserContextOptions,
    "colorScheme" | "viewport" | "hasTouch" | "permissions" | "reducedMotion" | "timezoneId"
  > {
  /** Already signed in as this person; a visitor otherwise. */
  as?: Person;
  language?: "en" | "it";
  /** What they have answered about cookies; null where they have not yet. A no by default. */
  consent?: "accepted" | "declined" | null;
  /** Another server's address than this worker's own. */
  at?: string;
}

/** A small phone. */
export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true };

interface WorkerFixtures {
  /** The built product with these settings, running for this worker alone; started when a test first needs it. */
  serverWith: (settings: Record<string, string>) => Promise<ProductServer>;
}

interface TestFixtures {
  /** Settings of the server that the tests of a file need, by `test.use`. */
  settings: Record<string, string>;
  /** The worker's server with these settings. */
  server: ProductServer;
  /** A page in a browser of its own; any error inside it fails the test. */
  visit: (visit?: Visit) => Promise<Page>;
  /** Someone who registered through the server's own API; with this plan where one is named, else on the free one. */
  person: (name?: string, options?: { plan?: string }) => Promise<Person>;
  /** Errors that this test provokes on purpose; each pattern pardons every error it matches. */
  expectedErrors: RegExp[];
}

/** Playwright's `test` with the product running and people to use it. */
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
  storageState: ({ server }, provide) =>
    provide({ cookies: [], origins: [{ origin: server.url, localStorage: answered("declined") }] }),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  expectedErrors: ({}, provide) => provide([]),
  person: ({ server }, provide) =>
    provide((name, { plan } = {}) => (plan ? signUpWithPlan(server, name, plan) : signUp(server, name))),
  context: async ({ context, expectedErrors }, provide) => {
    const errors = watchForErrors(context);
    await provide(context);
    expectOnly(expectedErrors, errors);
  },
  visit: async ({ browser, server, expectedErrors }, provide) => {
    const contexts: Awaited<ReturnType<typeof browser.newContext>>[] = [];
    const errors: string[][] = [];
    await provide(async ({ as, language = "en", consent = "declined", at = server.url, ...options } = {}) => {
      const context = await browser.newContext({
        baseURL: at,
        locale: language === "it" ? "it-IT" : "en-GB",
        storageState: {
          cookies: [],
          origins: [{ origin: at, localStorage: [...answered(consent), ...(await storedSession(as))] }],
        },
        // Moving pictures take half a processor. Journeys that are about the whole look ask for them.
        reducedMotion: "reduce",
        ...options,
      });
      contexts.push(context);
      errors.push(watchForErrors(context));
      return context.newPage();
    });
    for (const context of contexts) await context.close();
    expectOnly(expectedErrors, errors.flat());
  },
});

export { expect };

/** What supabase-js would have left in local storage. */
async function storedSession(person: Person | undefined) {
  if (!person) return [];
  const { data } = await person.client.auth.getSession();
  return [{ name: SESSION_KEY, value: JSON.stringify(data.session) }];
}

const answered = (consent: "accepted" | "declined" | null) => (consent ? [{ name: CONSENT_KEY, value: consent }] : []);

const expectOnly = (expected: RegExp[], errors: string[]) =>
  expect(
    errors.filter((error) => !expected.some((pattern) => pattern.test(error))),
    "errors inside the page",
  ).toEqual([]);

/**
 * Collects what goes wrong inside the pages of a context: uncaught errors and everything written by `console.error`,
 * which is also where Chromium reports every refused request.
 */
function watchForErrors(context: BrowserContext): string[] {
  const errors: string[] = [];
  // What no line of ours threw, as a chunk that did not come, has a message and no stack.
  context.on("weberror", (error) => errors.push(`${error.page()?.url()}: ${error.error().stack || error.error()}`));
  context.on("console", (message) => {
    if (message.type() === "error") errors.push(`${message.location().url}: ${message.text()}`);
  });
  // What the server refuses to tell of would be asked for again and again, and with it all that its page hears.
  context.on("page", (page) =>
    page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => {
        if (String(payload).includes("Unable to subscribe to changes")) errors.push(`${page.url()}: ${payload}`);
      }),
    ),
  );
  return errors;
}
