import { prerender } from "react-dom/static";
import { matchPath, StaticRouter } from "react-router";
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

/** A page as a visitor reads it first, for the server to send and the app to go on with. */
interface Rendered {
  /** HTML. */
  words: string;
  /** What was read for it, JSON: keys of queries with their answers. */
  data: string;
}

/** What pages show of rows that anybody may read, by their patterns. */
const QUERIES = {
  "/pricing": () => [catalogueQuery],
  "/affiliates": () => [catalogueQuery],
  "/shop": () => [catalogueQuery, qrOutlineQuery(new URL(paths.start(), siteOrigin()).href)],
  "/blog": (language: Language) => [postsQuery(language)],
  // The server has cleaned the text.
  "/blog/:id": (language: Language, id = "") => [postQuery(id, language, (html) => html), postsQuery(language)],
};

let last: Promise<unknown> = Promise.resolve();

/**
 * Renders the page at `path`; with `read`, which answers requests for public rows, together with them, without it with what
 * stands in their place. One page at a time: language and answers are the app's own.
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
      // Whole pages, without scripts that move parts of them into place.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError(error) {
        throw error;
      },
    },
  );
  const answers = client.getQueryCache().getAll();
  return {
    words: await new Response(prelude).text(),
    data: JSON.stringify(answers.map(({ queryKey, state }) => [queryKey, state.data]).filter(([, data]) => data)),
  };
}
