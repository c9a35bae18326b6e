/** What the server sends to a device about new notices, and its service worker shows. */
export interface PushMessage {
  title: string;
  body: string;
  /** The path that a click opens. */
  path: string;
  /** A later message about the same memory replaces the notification. */
  tag: string;
  /** The number of unread notices, for the icon. */
  unread: number;
}
