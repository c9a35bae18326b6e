import type { BrowserContext } from "@playwright/test";

/**
 * Collects what goes wrong inside the pages of a context: uncaught errors and everything written by `console.error`,
 * which is also where Chromium reports every refused request.
 */
export function watchForErrors(context: BrowserContext): string[] {
  const errors: string[] = [];
  context.on("weberror", (error) => errors.push(`${error.page()?.url()}: ${error.error().stack}`));
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
