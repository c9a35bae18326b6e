import { startTransition, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Router } from "react-router";
import { Frame } from "./layout/Frame.tsx";
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
import { loadPage, type ReadyPage, readyPage } from "./load-page.ts";
import { paths } from "./paths.ts";

type Shown = ReadyPage & { visit: Visit };

/** Renders the page of the current URL, at first `page`. A page stays visible until the next one's code has loaded. */
export function AppRouter({ page }: { page: ReadyPage }) {
  const [visiblePage, setVisiblePage] = useState<Shown>(() => ({ ...page, visit: firstVisit() }));
  const [next, setNext] = useState<Visit>();
  const current = useRef(visiblePage);

  // A layout effect, so that it is registered before the effects of the first page, which may navigate immediately.
  useLayoutEffect(() => {
    let newest: Visit | undefined;
    const show = (ready: Shown) =>
      startTransition(() => {
        setVisiblePage(ready);
        setNext(undefined);
      });
    const end = onVisit((visit) => {
      newest = visit;
      keepPosition(current.current.visit);
      // `data-fonts` keeps the fonts of the first paint; it applies only to the page that the server sent.
      delete document.body.dataset.fonts;
      const { pathname } = visit.location;
      const ready = readyPage(pathname);
      if (ready) return show({ ...ready, visit });
      setNext(visit);
      void loadPage(pathname).then((page) => newest === visit && show({ ...page, visit }));
    });
    const endScrolling = followScrolling(() => current.current.visit);
    return () => {
      end();
      endScrolling();
    };
  }, []);

  useLayoutEffect(() => {
    current.current = visiblePage;
    scrollFor(visiblePage.visit);
  }, [visiblePage]);

  useEffect(() => pageViewed(visiblePage.route.path), [visiblePage]);

  const { visit, route, Page } = visiblePage;
  return (
    <Router location={visit.location} navigationType={visit.action} navigator={navigator}>
      <Frame
        route={route}
        Page={Page}
        visit={visit}
        leaving={next !== undefined && next.location.pathname !== visit.location.pathname}
      />
    </Router>
  );
}

connectNavigation({ goTo: (path) => navigator.push(path), login: paths.login() });
