/** What a page tells the service worker about a memory or album that was opened. */
export interface CopyMessage {
  /** Which pages the app must be able to show without a network. */
  kind: "link" | "member";
  cacheName: string;
  /** The signed URLs of pictures to keep. */
  pictures: string[];
  /** The paths of the built files that the page has loaded. */
  files: string[];
}
