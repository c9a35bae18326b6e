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
  return errors;
}
