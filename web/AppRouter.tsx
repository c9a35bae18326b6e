import { type ComponentType, startTransition, useEffect, useLayoutEffect, useRef, useState } from "react";
import { matchRoutes, Router } from "react-router";
import { Frame } from "./layout/Frame.tsx";
import { NotFound } from "./layout/NotFound.tsx";
import { pageViewed } from "./lib/browser/analytics.ts";
import {
  firstVisit,
  followScrolling,
  keepPosition,
  navigator,
  onVisit,
  scrollFor,
  type Visit,
} from "./lib/browser/history.ts";
import { connectNavigation } from "./lib/browser/navigation.ts";
import { paths } from "./paths.ts";
import { type Route, routes } from "./routes.tsx";

/** A page that can be shown: its code is here. */
interface ReadyPage {
  visit: Visit;
  route: Route;
  Page: ComponentType;
}

const loaded = new Map<Route, ComponentType>();

const routeAt = ({ location }: Visit): Route =>
  matchRoutes(routes, location)?.at(-1)?.route ?? { path: "*", page: NotFound };

function readyPage(visit: Visit): ReadyPage | undefined {
  const route = routeAt(visit);
  const Page = "page" in route ? route.page : loaded.get(route);
  return Page && { visit, route, Page };
}

const failing = (error: unknown) => () => {
  throw error;
};

/** Loads a page's code; a page whose code cannot be had fails as one that cannot be drawn. */
async function loadPage(visit: Visit): Promise<ReadyPage> {
  const route = routeAt(visit);
  try {
    if ("load" in route) loaded.set(route, (await route.load()).default);
    return readyPage(visit) as ReadyPage;
  } catch (error) {
    return { visit, route, Page: failing(error) };
  }
}

/** The page at the address that the app was opened with. */
export const loadFirstPage = () => loadPage(firstVisit());

/** Shows the page of each address. The page before stays until the code of the next is here. */
export function AppRouter({ first }: { first: ReadyPage }) {
  const [shown, setShown] = useState(first);
  const [next, setNext] = useState<Visit>();
  const current = useRef(shown);

  useEffect(() => {
    let newest: Visit | undefined;
    const show = (page: ReadyPage) =>
      startTransition(() => {
        setShown(page);
        setNext(undefined);
      });
    const end = onVisit((visit) => {
      newest = visit;
      keepPosition(current.current.visit);
      const ready = readyPage(visit);
      if (ready) return show(ready);
      setNext(visit);
      void loadPage(visit).then((page) => newest === visit && show(page));
    });
    const endScrolling = followScrolling(() => current.current.visit);
    return () => {
      end();
      endScrolling();
    };
  }, []);

  useLayoutEffect(() => {
    current.current = shown;
    scrollFor(shown.visit);
  }, [shown]);

  useEffect(() => pageViewed(shown.route.path), [shown]);

  const { visit, route, Page } = shown;
  return (
    <Router location={visit.location} navigationType={visit.action} navigator={navigator}>
      <Frame
        path={route.path}
        Page={Page}
        signedIn={route.signedIn === true}
        visit={visit}
        leaving={next !== undefined && next.location.pathname !== visit.location.pathname}
      />
    </Router>
  );
}

connectNavigation({ goTo: (path) => navigator.push(path), login: paths.login() });
