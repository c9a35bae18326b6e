/** The document's root element, on which the scripts in the page (`web/inline`) leave things for each other and the app. */
export interface ServedDocument extends HTMLElement {
  /** On a link's page: sends the request that opens the link. */
  openLink?: (pin?: string) => Promise<Response>;
  /** The request that opens a link without a secret. */
  opening?: Promise<Response>;
  /** Removes what others have changed in the prerendered page. */
  restoreTexts?: () => void;
  /** The browser's offer to install the page, until it was used. */
  installPrompt?: InstallPrompt | undefined;
}

/** Chrome's event, with which a page can offer its installation later. */
export interface InstallPrompt extends Event {
  prompt: () => Promise<unknown>;
}

/** The page's root, on which the scripts in the page leave things for each other and the app. */
export interface ServedPage extends HTMLElement {
  /** The response to /config.json, if the page contains the settings. */
  settings?: Promise<Response>;
  /** The request that opens a link, sent when its PIN was complete, or at once without a PIN. */
  opening?: { pin?: string | undefined; answer: Promise<Response> };
  /** Resolves when the app may start: after the opened memory's hero was painted. */
  startAfter?: Promise<unknown>;
  /** The content of the PIN's boxes before the app has taken them over. */
  digits?: readonly string[];
  /** Says that the app's files could not be loaded, and offers to load the page again. */
  startFailed?: () => void;
  /** The elements that the server sent; others are an extension's. */
  elements?: WeakSet<Element>;
  /** Elements of the served page that can be pressed before React handles their events; set by the app. */
  served?: WeakSet<Element>;
}

/** The document's root element. */
export const servedDocument = (): ServedDocument => document.documentElement;

/** The page's root element; absent while a page is prerendered. */
export const servedPage = (): ServedPage | null | undefined => globalThis.document?.getElementById("root");
