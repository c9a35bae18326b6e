import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { cleanHtml } from "../html/html.ts";
import { FRESH_MS, type Language } from "./posts.ts";

/** A prerendered page: its content as HTML, and the rows that were read for it as JSON. */
interface Rendered {
  words: string;
  data: string;
}

/** The module that the build makes from `web/prerender.tsx`. */
interface Renderer {
  renderPage(path: string, language: Language, config: object, read: typeof fetch): Promise<Rendered>;
}

export interface RowPage extends Rendered {
  /** A hash of the content. */
  version: string;
}

interface Sources {
  /** The file of the renderer, beside the built web app. */
  file: string;
  origin: string;
  publishableKey: string;
  /** Sends a request for rows to the REST API as an anonymous caller; `path` includes the query. */
  ask: (path: string, apikey: string) => Promise<{ status: number; body: string }>;
  onError: (error: unknown) => void;
}

/** Renders the public pages that show rows. Each is rendered at most once in {@link FRESH_MS} and cached until then. */
export function openPagesWithRows({ file, origin, publishableKey, ask, onError }: Sources) {
  const kept = new Map<string, { at: number; page: Promise<RowPage | undefined> }>();
  let renderer: Renderer | undefined;

  const read: typeof fetch = async (input) => {
    const { pathname, search } = new URL(String(input), origin);
    const { status, body } = await ask(pathname + search, publishableKey);
    // Sanitised again: stored HTML that bypassed the first sanitising would reach every visitor.
    const rows = status === 200 && JSON.parse(body).map((row: { body?: string }) => cleaned(row));
    return Response.json(rows || {}, { status });
  };

  async function render(path: string, language: Language): Promise<RowPage | undefined> {
    try {
      // Loaded on demand, because it is large.
      renderer ??= createRequire(import.meta.url)(file) as Renderer;
      const config = { supabaseUrl: origin, supabaseAnonKey: publishableKey, processors: [] };
      const { words, data } = await renderer.renderPage(path, language, config, read);
      const version = createHash("sha256").update(words).update(data).digest("base64url").slice(0, 22);
      return { words, data: data.replaceAll("<", "\\u003c"), version };
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
    const known = kept.get(key);
    if (known && Date.now() - known.at < FRESH_MS) return known.page;
    const page = render(path, language);
    kept.set(key, { at: Date.now(), page });
    return page;
  };
}

/** The path patterns of these pages, as in `web/prerender.tsx`. */
const PATTERNS = new Set(["/pricing", "/affiliates", "/shop", "/blog", "/blog/:id"]);

const cleaned = <Row extends { body?: string }>(row: Row): Row =>
  row.body === undefined ? row : { ...row, body: cleanHtml(row.body) };
