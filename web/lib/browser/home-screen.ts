/**
 * Names the page's manifest and icon for the home screen: a link's page is an app of its own. A script in
 * the page names them first (`web/inline/reader.ts`), because an app that waits for a PIN loads no more code than it needs.
 */
export function nameManifest(language: string, shareId?: string) {
  const link = shareId === undefined ? "" : `/shared/${encodeURIComponent(shareId)}`;
  const name = (rel: string, href: string) => document.querySelector(`link[rel=${rel}]`)?.setAttribute("href", href);
  name("manifest", `${link}/manifest.webmanifest?lng=${language}`);
  name("apple-touch-icon", link ? `${link}/icon.png` : "/apple-touch-icon.png");
}
