import type { PushMessage } from "../../../shared/push-message.ts";

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
