/** The page's root with the data that the script in index.html puts there before the app loads. */
export interface ServedPage extends HTMLElement {
  /** The response to /config.json, if the script requested it. */
  settings?: Promise<Response>;
  /** The request that opens a link, sent when its PIN was complete, or at once without a PIN. */
  opening?: { pin?: string; answer: Promise<Response> };
  /** The content of the PIN's boxes before the app has taken them over. */
  digits?: string[];
  /** A text with more than a PIN that was pasted into the PIN's boxes before the app had loaded. */
  pasted?: string;
  /** The elements that the server sent; others are an extension's. */
  elements?: WeakSet<Element>;
  /** Elements of the served page that can be pressed before React handles their events; set by the app. */
  served?: WeakSet<Element>;
}

/** The page's root element; absent while a page is prerendered. */
export const servedPage = (): ServedPage | null | undefined => globalThis.document?.getElementById("root");
