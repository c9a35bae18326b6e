/** What the server sends to a device about new notices (`server/jobs/notices/push-messages.ts`). */
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

/** The message of a push event; undefined if it is none of ours. */
export function readPushMessage(text: string): PushMessage | undefined {
  try {
    const { title, body, path, tag, unread } = JSON.parse(text);
    // Never another site: a path with two slashes would name one.
    const isPath = typeof path === "string" && /^\/(?![/\\])/.test(path);
    return isPath
      ? { title: `${title}`, body: `${body}`, path, tag: `${tag}`, unread: Number(unread) || 0 }
      : undefined;
  } catch {
    return undefined;
  }
}
