// Something between the browser and the server may answer instead of it: the sign-in page of a hotel's network, a filter at
// work or school, or a gateway. Such a page may come with any status, also 200, and says nothing about the request.

/** Whether the response to a request for data or a file is a page, because the server sends none there. */
export const isForeign = ({ headers }: Response): boolean => /^text\/html\b/i.test(headers.get("content-type") ?? "");

/** Returns the response to a request for data or a file. Throws for a page as `fetch` does without a network. */
export function ownAnswer(response: Response): Response {
  if (isForeign(response)) throw new TypeError(`Failed to fetch (${response.status})`);
  return response;
}

/** Whether a page is the server's, and not one that something on the way sent instead: by a part of `index.html`. */
export const isOwnPage = (html: string): boolean => html.includes('<template id="starting">');
