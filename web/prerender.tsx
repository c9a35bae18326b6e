import { prerender } from "react-dom/static";
import { matchPath, StaticRouter } from "react-router";
import type { PathWithRows } from "../shared/pages.ts";
import { App } from "./App.tsx";
import { catalogueQuery } from "./data/catalogue.queries.ts";
import { postQuery, postsQuery } from "./features/blog/blog.queries.ts";
import type { Language } from "./i18n/languages.ts";
import { showLanguage } from "./i18n/translate.ts";
import { Frame } from "./layout/Frame.tsx";
import { type Config, setConfig, siteOrigin } from "./lib/browser/config.ts";
import { qrOutlineQuery } from "./lib/qr/qr.queries.ts";
import { readPublicRowsBy } from "./lib/request/public-rows.ts";
import { loadQueries } from "./lib/request/queries.ts";
import { loadPage } from "./load-page.ts";
import { paths } from "./paths.ts";

/** A prerendered page, for the server to send and the app to hydrate. */
interface Rendered {
  /** The HTML. */
  html: string;
  /** The fetched data as JSON: pairs of a query's key and its response. */
  data: string;
}

/** The queries of public rows that a page shows, by the pattern of its route. */
const QUERIES = {
  "/pricing": () => [catalogueQuery],
  "/affiliates": () => [catalogueQuery],
  "/shop": () => [catalogueQuery, qrOutlineQuery(new URL(paths.start(), siteOrigin()).href)],
  "/blog": (language: Language) => [postsQuery(language)],
  // The server has already sanitised the HTML.
  "/blog/:id": (language: Language, id = "") => [postQuery(id, language, (html) => html), postsQuery(language)],
} satisfies Record<PathWithRows, unknown>;

let last: Promise<unknown> = Promise.resolve();

/**
 * Renders the page at `path`. `read` fetches public rows; without it the page has placeholders for them. Renders one
 * page at a time, because the language and the query cache are global.
 */
export function renderPage(path: string, language: Language, config: Config, read?: typeof fetch): Promise<Rendered> {
  const rendered = last.then(() => render(path, language, config, read));
  last = rendered.catch(() => {});
  return rendered;
}

async function render(path: string, language: Language, config: Config, read?: typeof fetch): Promise<Rendered> {
  setConfig(config);
  showLanguage(language);
  const { route, Page } = await loadPage(path);
  const client = await loadQueries();
  client.clear();
  if (read && route.path in QUERIES) {
    readPublicRowsBy(read);
    const { id } = matchPath(route.path, path)?.params ?? {};
    for (const query of QUERIES[route.path as keyof typeof QUERIES](language, id)) {
      await ("initialPageParam" in query ? client.fetchInfiniteQuery(query) : client.fetchQuery(query as never));
    }
  }
  const { prelude } = await prerender(
    <App>
      <StaticRouter location={path}>
        <Frame route={route} Page={Page} visit={path} leaving={false} />
      </StaticRouter>
    </App>,
    {
      // Sends the page in one piece, without inline scripts that move late parts into place.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError(error) {
        throw error;
      },
    },
  );
  const answers = client.getQueryCache().getAll();
  return {
    html: await new Response(prelude).text(),
    data: JSON.stringify(answers.map(({ queryKey, state }) => [queryKey, state.data]).filter(([, data]) => data)),
  };
}
