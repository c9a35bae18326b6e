import { config } from "../../lib/browser/config.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";
import { unwrap } from "../../lib/request/unwrap.ts";

/**
 * Whether this browser shows notifications while no page is open: `on` or `off`; `blocked` by the person; `unsupported`; or
 * only once the app is on the home screen (`install`), as on an iPhone.
 */
export type PushState = "on" | "off" | "blocked" | "unsupported" | "install";

const isSupported = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

const needsInstall = () => (navigator as { standalone?: boolean }).standalone === false;

const subscriptionOf = async () =>
  (await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription()) ?? undefined;

/** Resolves to the state on this device for the signed-in person. */
export async function pushState(client: SupabaseClient, signal?: AbortSignal): Promise<PushState> {
  if (!isSupported()) return needsInstall() ? "install" : "unsupported";
  if (!config().pushKey) return "unsupported";
  if (Notification.permission === "denied") return "blocked";
  const subscription = await subscriptionOf();
  if (!subscription) return "off";
  const query = client.from("push_devices").select("session_id").eq("endpoint", subscription.endpoint);
  const rows = await (signal ? query.abortSignal(signal) : query).then(unwrap("Failed to load the device"));
  return rows.length > 0 ? "on" : "off";
}

/** Asks the person for permission, and registers this device. Resolves to the new state. */
export async function turnOnPush(client: SupabaseClient): Promise<PushState> {
  const permission = await Notification.requestPermission();
  if (permission !== "granted") return permission === "denied" ? "blocked" : "off";
  await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: config().pushKey ?? "" };
  const subscription = await pushManager.subscribe(options).catch(async (error: DOMException) => {
    if (error.name !== "InvalidStateError") throw error;
    // The installation has another key since the browser subscribed.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options);
  });
  await register(client, subscription);
  return "on";
}

async function register(client: SupabaseClient, subscription: PushSubscription) {
  const { endpoint, keys } = subscription.toJSON();
  await client
    .rpc("register_push_device", { endpoint: endpoint ?? "", p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" })
    .then(unwrap("Failed to register the device"));
}

/** Ends notifications on this device: on the server first, because that ends them even if the browser fails. */
export async function turnOffPush(client: SupabaseClient): Promise<PushState> {
  const subscription = await subscriptionOf();
  if (!subscription) return "off";
  await client
    .from("push_devices")
    .delete()
    .eq("endpoint", subscription.endpoint)
    .then(unwrap("Failed to remove the device"));
  await subscription.unsubscribe();
  return "off";
}
