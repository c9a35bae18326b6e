import type { ComponentType } from "react";
import { matchRoutes } from "react-router";
import { NotFound } from "./layout/NotFound.tsx";
import { type Route, routes } from "./routes.tsx";

/** A page that can be shown: its code is here. */
export interface ReadyPage {
  route: Route;
  Page: ComponentType;
}

const loaded = new Map<Route, ComponentType>();

const routeAt = (pathname: string): Route =>
  matchRoutes(routes, pathname)?.at(-1)?.route ?? { path: "*", page: NotFound };

/** The page at this path, where its code is here already. */
export function readyPage(pathname: string): ReadyPage | undefined {
  const route = routeAt(pathname);
  const Page = "page" in route ? route.page : loaded.get(route);
  return Page && { route, Page };
}

const failing = (error: unknown) => () => {
  throw error;
};

/** Loads a page's code; a page whose code cannot be had fails as one that cannot be drawn. */
export async function loadPage(pathname: string): Promise<ReadyPage> {
  const route = routeAt(pathname);
  try {
    if ("load" in route) loaded.set(route, (await route.load()).default);
    return readyPage(pathname) as ReadyPage;
  } catch (error) {
    return { route, Page: failing(error) };
  }
}
