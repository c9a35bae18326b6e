/** The page's root with the data that the script in index.html puts there before the app loads. */
export interface ServedPage extends HTMLElement {
  /** The response to /config.json, where the script needed it. */
  settings?: Promise<Response>;
  /** The request that opens a link, sent when its PIN was complete, or at once where it has none. */
  opening?: { pin?: string; answer: Promise<Response> };
  /** Set by the app when it begins: what the server sent that can be pressed, and React may not hear yet. */
  served?: WeakSet<Element>;
}

/** The root of the page; nothing where a page is prerendered. */
export const servedPage = (): ServedPage | null | undefined => globalThis.document?.getElementById("root");
