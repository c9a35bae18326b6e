import { setBadge } from "./app-badge.ts";
import { readPushMessage } from "./push-message.ts";

interface Page {
  url: string;
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
}

/** The parts of a service worker that notifications need. TypeScript's types of workers and of pages exclude each other. */
export interface PushScope {
  registration: Pick<ServiceWorkerRegistration, "showNotification">;
  clients: {
    matchAll(options: { type: "window" }): Promise<Page[]>;
    openWindow(url: string): Promise<unknown>;
  };
}

/** Shows a push message. Browsers demand a notification for each, so one that cannot be read shows the product's name. */
export async function showPush({ registration }: PushScope, text: string): Promise<void> {
  const message = readPushMessage(text) ?? {
    title: "Skies",
    body: "",
    path: "/notices",
    tag: "account",
    unread: 0,
  };
  setBadge(message.unread);
  // Never a picture of a person: it would stand on the lock screen.
  await registration.showNotification(message.title, {
    body: message.body,
    tag: message.tag,
    icon: "/icons/icon-192.png",
    badge: "/icons/monochrome-512.png",
    data: message.path,
  });
}

/** Opens what a notification is about, in a page of the app if one is open. */
export async function openPush({ clients }: PushScope, notification: Notification): Promise<void> {
  notification.close();
  const url = new URL(String(notification.data), location.origin).href;
  const [page] = await clients.matchAll({ type: "window" });
  // A page that an earlier service worker controls cannot be navigated by this one.
  const isOpen = await page
    ?.navigate(url)
    .then(() => page.focus())
    .then(
      () => true,
      () => false,
    );
  if (!isOpen) await clients.openWindow(url);
}
