import type { ComponentType } from "react";
import { matchRoutes } from "react-router";
import { inAttempts } from "./lib/browser/lazy-part.ts";
import { isNewBuild } from "./lib/browser/new-build.ts";
import { tabStorage } from "./lib/browser/storage.ts";
import { loadQueries } from "./lib/request/queries.ts";
import { type Route, routes } from "./routes.tsx";

/** A page whose code has loaded. */
export interface ReadyPage {
  route: Route;
  Page: ComponentType;
}

const loaded = new Map<Route, ComponentType>();

/** Returns the route of a path. The last route matches every path, so there always is one. */
const routeAt = (pathname: string): Route => matchRoutes(routes, pathname)?.at(-1)?.route as Route;

/** Returns the page at this path if its code has loaded. */
export function readyPage(pathname: string): ReadyPage | undefined {
  const route = routeAt(pathname);
  const Page = loaded.get(route);
  return Page && { route, Page };
}

const failing = (error: unknown) => () => {
  throw error;
};

/** Names the URL for which the tab was reloaded, so that a build that stays broken is not reloaded for ever. */
const RELOADED_KEY = "skies-reloaded";

/** Loads the URL's page from the server if the server has a new build; returns whether it does. */
async function reloadsForNewBuild(): Promise<boolean> {
  if (tabStorage.getItem(RELOADED_KEY) === location.href || !(await isNewBuild())) return false;
  tabStorage.setItem(RELOADED_KEY, location.href);
  // Drafts are stored when the page is left.
  location.reload();
  return true;
}

/**
 * Loads a page's code. On failure, resolves to a page that throws the error when it is rendered; never, if the page is
 * being reloaded because its code belongs to an older build.
 */
export async function loadPage(pathname: string): Promise<ReadyPage> {
  const route = routeAt(pathname);
  try {
    const [{ default: Page }] = await inAttempts(() => Promise.all([route.load(), route.plain || loadQueries()]));
    tabStorage.removeItem(RELOADED_KEY);
    loaded.set(route, Page);
    return { route, Page };
  } catch (error) {
    if (globalThis.document && (await reloadsForNewBuild())) return new Promise(() => {});
    return { route, Page: failing(error) };
  }
}
