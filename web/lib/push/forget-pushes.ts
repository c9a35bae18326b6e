import { setBadge } from "./app-badge.ts";

/** Removes the notifications on this device and ends its subscription, before somebody else may use it. */
export async function forgetPushes(): Promise<void> {
  setBadge(0);
  const registration = await navigator.serviceWorker?.getRegistration();
  if (!registration?.pushManager) return;
  for (const notification of await registration.getNotifications()) notification.close();
  await (await registration.pushManager.getSubscription())?.unsubscribe();
}
