import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { pages } from "../../shared/pages.ts";
import type { Renderer } from "../rendering/render-thread.ts";
import { FRESH_MS, type Language } from "./posts.ts";

/** A prerendered page: its content as HTML, and the rows that were read for it as JSON. */
interface Rendered {
  html: string;
  data: string;
}

export interface RowPage extends Rendered {
  /** A hash of the content. */
  version: string;
}

interface Sources {
  renderer: Renderer;
  /** The built module of `web/prerender.tsx`, beside the built web app. */
  file: string;
  origin: string;
  publishableKey: string;
  /** Sends a request for rows to the REST API as an anonymous caller; `path` includes the query. */
  ask: (path: string, apikey: string) => Promise<{ status: number; body: string }>;
  onError: (error: unknown) => void;
}

/** Renders the public pages that show rows. Each is rendered at most once in {@link FRESH_MS} and cached until then. */
export function openPagesWithRows({ renderer, file, origin, publishableKey, ask, onError }: Sources) {
  const pages = new Map<string, { at: number; page: Promise<RowPage | undefined> }>();

  async function render(path: string, language: Language): Promise<RowPage | undefined> {
    try {
      const config = { supabaseUrl: origin, supabaseAnonKey: publishableKey, processors: [] };
      const json = await renderer.render(
        { kind: "page", file, site: origin, path, language, config },
        async ({ url }) => {
          const { status, body } = await ask(url, publishableKey);
          return { status, type: "application/json", body };
        },
      );
      const { html, data } = JSON.parse(json ?? "") as Rendered;
      const version = createHash("sha256").update(html).update(data).digest("base64url").slice(0, 22);
      return { html, data: data.replaceAll("<", "\\u003c"), version };
    } catch (error) {
      // Without prerendered content, the app requests it itself and shows the error.
      onError(error);
      return undefined;
    }
  }

  /** Resolves to the page at this path; undefined if it shows no rows or could not be rendered. */
  return async (path: string, pattern: string, language: Language): Promise<RowPage | undefined> => {
    if (!PATTERNS.has(pattern) || !existsSync(file)) return undefined;
    const key = `${language} ${path}`;
    const cached = pages.get(key);
    if (cached && Date.now() - cached.at < FRESH_MS) return cached.page;
    const page = render(path, language);
    pages.set(key, { at: Date.now(), page });
    return page;
  };
}

/** The path patterns of these pages; `web/prerender.tsx` has their queries. */
const PATTERNS = new Set(pages.flatMap(({ path, rows }) => (rows ? [path] : [])));
