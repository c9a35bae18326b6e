import { readFileSync } from "node:fs";
import { join } from "node:path";

/** How the built page of the app becomes the page of a kind. */

/** The page with inline styles: it can be painted without another request. */
export const withStyles = (folder: string, html: string): string =>
  html.replace(/<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g, (_link, file: string) => {
    // Lazy chunks look for a link to their style sheet before they add one. A disabled link is found and not fetched.
    return `<style>${readFileSync(join(folder, file), "utf8")}</style><link rel="stylesheet" disabled href="/${file}">`;
  });

/**
 * Lowers the priority of the page's scripts, so that fonts and the request that opens a link come first. With `wait`, the
 * scripts are in a template, and the page starts them after the first paint (`web/inline/start.ts`). With `load`, they are also preloaded.
 */
export function withLateScripts(styled: string, { wait, load }: { wait: boolean; load: boolean }): string {
  const waiting: string[] = [];
  const page = styled.replace(/<(?:script type="module"|link rel="modulepreload")[^>]*>(?:<\/script>)?/g, (tag) => {
    const late = tag.replace(/^<\w+/, '$& fetchpriority="low"');
    if (!wait || (load && tag.startsWith("<link"))) return late;
    waiting.push(late);
    // A link with the same attributes.
    return load
      ? late
          .replace("<script", "<link")
          .replace('type="module"', 'rel="modulepreload"')
          .replace(/ src=(.*)><.*/, " href=$1>")
      : "";
  });
  return page.replace("</head>", () => `  <template id="app">${waiting.join("")}</template>\n  </head>`);
}

/** Marks a public page, which is readable before its scripts and fonts have loaded. */
export const publicOf = (styled: string): string => styled.replace("<body", '$& data-fonts="first"');

/** Removes the scripts of the share gate (`web/inline`), which other pages do not need. */
export const withoutGate = (html: string): string => html.replace(/\s*<script data-gate>[\s\S]*?<\/script>/g, "");

/** The share gate's page, with system fonts: on a slow connection every request and byte delays it. */
export const gateOf = (styled: string): string =>
  // Fonts load later, and the settings are inlined.
  styled.replace(/\s*<link rel="preload"[^>]*>/g, "").replace("<body", '$& data-fonts="system"');
