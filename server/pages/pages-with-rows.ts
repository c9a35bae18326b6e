import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { cleanHtml } from "../html/html.ts";
import { FRESH_MS, type Language } from "./posts.ts";

/** A page as it is sent first: its words as HTML, and as JSON what was read for them. */
interface Rendered {
  words: string;
  data: string;
}

/** What the build makes of `web/prerender.tsx`. */
interface Renderer {
  renderPage(path: string, language: Language, config: object, read: typeof fetch): Promise<Rendered>;
}

export interface RowPage extends Rendered {
  /** Another one for each content. */
  version: string;
}

interface Sources {
  /** The file of the renderer, beside the built web app. */
  file: string;
  origin: string;
  publishableKey: string;
  /** Answers a request for rows, by its path, as it answers anybody. */
  ask: (path: string, apikey: string) => Promise<{ status: number; body: string }>;
  onError: (error: unknown) => void;
}

/** Renders the public pages that show rows, each at most once in {@link FRESH_MS}, and gives the last of them until then. */
export function openPagesWithRows({ file, origin, publishableKey, ask, onError }: Sources) {
  const kept = new Map<string, { at: number; page: Promise<RowPage | undefined> }>();
  let renderer: Renderer | undefined;

  const read: typeof fetch = async (input) => {
    const { pathname, search } = new URL(String(input), origin);
    const { status, body } = await ask(pathname + search, publishableKey);
    // Sanitised again: stored HTML that bypassed the first time would reach every visitor.
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

  /** The page at this path, one of the site's own; undefined where it shows no rows or could not be rendered. */
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

/** As `web/prerender.tsx` has them. */
const PATTERNS = new Set(["/pricing", "/affiliates", "/shop", "/blog", "/blog/:id"]);

const cleaned = <Row extends { body?: string }>(row: Row): Row =>
  row.body === undefined ? row : { ...row, body: cleanHtml(row.body) };
