import type { Page } from "@playwright/test";

/** Resolves when a page that is opened after the call hears at once of changes to a table: those from before are read, not told. */
export const hears = (page: Page, table: string): Promise<unknown> =>
  page
    .waitForEvent("websocket")
    .then((socket) => socket.waitForEvent("framereceived", ({ payload }) => payload.includes(table)));
