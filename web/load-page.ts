import type { ComponentType } from "react";
import { matchRoutes } from "react-router";
import { loadQueries } from "./lib/request/queries.ts";
import { type Route, routes } from "./routes.tsx";

/** A page that can be shown: its code is here. */
export interface ReadyPage {
  route: Route;
  Page: ComponentType;
}

const loaded = new Map<Route, ComponentType>();

/** The last route takes every path. */
const routeAt = (pathname: string): Route => matchRoutes(routes, pathname)?.at(-1)?.route as Route;

/** The page at this path, where its code is here already. */
export function readyPage(pathname: string): ReadyPage | undefined {
  const route = routeAt(pathname);
  const Page = loaded.get(route);
  return Page && { route, Page };
}

const failing = (error: unknown) => () => {
  throw error;
};

/** Loads a page's code; a page whose code cannot be had fails as one that cannot be drawn. */
export async function loadPage(pathname: string): Promise<ReadyPage> {
  const route = routeAt(pathname);
  try {
    const [{ default: Page }] = await Promise.all([route.load(), route.plain || loadQueries()]);
    loaded.set(route, Page);
    return { route, Page };
  } catch (error) {
    return { route, Page: failing(error) };
  }
}
