import type { ComponentType } from "react";
import { matchRoutes } from "react-router";
import { inAttempts, readable } from "./lib/browser/lazy-part.ts";
import { isNewBuild } from "./lib/browser/new-build.ts";
import { offline } from "./lib/offline/offline-state.ts";
import { loadQueries } from "./lib/request/queries.ts";
import { offlineRoute, type Route, routes } from "./routes.ts";

/** A page whose code has loaded. */
export interface ReadyPage {
  route: Route;
  Page: ComponentType;
  /** Whether the code could not be loaded, so that the page throws. */
  failed?: true;
}

const loaded = new Map<Route, ComponentType>();

/** Returns the route of a path. The last route matches every path, so there always is one. */
function routeAt(pathname: string): Route {
  const route = matchRoutes(routes, pathname)?.at(-1)?.route as Route;
  return offline.get() ? offlineRoute(route) : route;
}

/** Returns the page at this path if its code has loaded. */
export function readyPage(pathname: string): ReadyPage | undefined {
  const route = routeAt(pathname);
  const Page = loaded.get(route);
  return Page && { route, Page };
}

const failing = (error: unknown) => () => {
  throw error;
};

/**
 * Loads a page's code. On failure, reloads the page if the server has a new build, and otherwise resolves to a page that
 * throws the error when it is rendered.
 */
export async function loadPage(pathname: string): Promise<ReadyPage> {
  const route = routeAt(pathname);
  try {
    const [{ default: Page }] = await inAttempts(() =>
      Promise.all([readable(route.load)(), route.plain || loadQueries()]),
    );
    loaded.set(route, Page);
    return { route, Page };
  } catch (error) {
    // The new build names other files. Drafts are stored when the page is left.
    if (await isNewBuild()) location.reload();
    return { route, Page: failing(error), failed: true };
  }
}
