import { prerender } from "react-dom/static";
import { StaticRouter } from "react-router";
import { App } from "./App.tsx";
import type { Language } from "./i18n/languages.ts";
import { showLanguage } from "./i18n/translate.ts";
import { Frame } from "./layout/Frame.tsx";
import { type Config, setConfig } from "./lib/browser/config.ts";

/** The HTML of the page at `path` as a visitor reads it first, for the server to send and the app to go on with. */
export async function prerenderPage(path: string, language: Language, config: Config): Promise<string> {
  // Read by modules as they start.
  setConfig(config);
  const { loadPage } = await import("./load-page.ts");
  showLanguage(language);
  const { route, Page } = await loadPage(path);
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
  return new Response(prelude).text();
}
