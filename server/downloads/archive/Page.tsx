import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { writtenDay } from "./days.ts";
import type { ArchiveTexts } from "./texts.ts";

interface PageProps {
  title: string;
  texts: ArchiveTexts;
  /** The relative URL of the archive's top folder: empty, or `../`. */
  root: string;
  /** `2026-11-20` */
  today: string;
  children: ReactNode;
}

/**
 * Keeps the page offline: its content cannot reach a network. For local files, browsers do not match 'self' to files in
 * the same folder, hence both sources.
 */
const POLICY = ["img-src", "media-src", "style-src", "script-src"]
  .map((kind) => `${kind} 'self' file:${kind === "style-src" ? " 'unsafe-inline'" : ""}`)
  .join("; ");

/** A page of an archive as a file. */
export const renderPage = (page: ReactNode): string => `<!doctype html>\n${renderToStaticMarkup(page)}\n`;

/** The layout of every page of an archive. */
export function Page({ title, texts, root, today, children }: PageProps) {
  return (
    <html lang={texts.locale.slice(0, 2)}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta httpEquiv="Content-Security-Policy" content={`default-src 'none'; ${POLICY}`} />
        <meta name="referrer" content="no-referrer" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="stylesheet" href={`${root}style/archive.css`} />
        <script defer src={`${root}style/archive.js`} />
      </head>
      <body data-close={texts.close} data-previous={texts.previous} data-next={texts.next} data-open={texts.openFile}>
        <a className="skip" href="#page">
          {texts.skip}
        </a>
        <main id="page">{children}</main>
        <footer>
          <p>{texts.kept(writtenDay(today, texts))}</p>
          <p className="mark">Skies</p>
        </footer>
      </body>
    </html>
  );
}
