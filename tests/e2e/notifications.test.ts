import { createECDH, randomBytes, randomUUID } from "node:crypto";
import type { BrowserContext } from "@playwright/test";
import { expect, test } from "../support/e2e.ts";

test.use({ serviceWorkers: "allow" });

const LABEL = "Notifications on this device";

/**
 * Gives the browser a permission and a push service, with keys like a browser's: without a screen Chromium refuses the one,
 * and the other cannot be reached from here.
 */
async function withPushService(context: BrowserContext) {
  const keys = createECDH("prime256v1").generateKeys("base64url");
  const device = {
    endpoint: `https://fcm.googleapis.com/fcm/send/${randomUUID()}`,
    keys: { p256dh: keys, auth: randomBytes(16).toString("base64url") },
  };
  let isSubscribed = false;
  await context.exposeFunction("testPush", (next = isSubscribed) => {
    isSubscribed = next;
    return isSubscribed;
  });
  await context.addInitScript((toJSON) => {
    const { testPush } = self as unknown as { testPush: (next?: boolean) => Promise<boolean> };
    const subscription = { endpoint: toJSON.endpoint, toJSON: () => toJSON, unsubscribe: () => testPush(false) };
    Object.defineProperty(Notification, "permission", { get: () => "granted" });
    Notification.requestPermission = async () => "granted";
    Object.assign(PushManager.prototype, {
      subscribe: async () => (await testPush(true)) && subscription,
      getSubscription: async () => ((await testPush()) ? subscription : null),
    });
  }, device);
  return { ...device, isSubscribed: () => isSubscribed };
}

test("a person turns notifications on for a device, and they end with the sign-out", { tag: "@sample" }, async ({
  visit,
  person,
}) => {
  const ada = await person("Ada");
  const page = await visit({ as: ada });
  const device = await withPushService(page.context());
  const devices = async () => (await ada.client.from("push_devices").select("endpoint").throwOnError()).data;

  await page.goto("/profile#notices");
  const choice = page.getByRole("switch", { name: LABEL });
  await expect(choice).not.toBeChecked();
  await choice.click();
  await expect(choice).toBeChecked();
  await expect.poll(devices).toEqual([{ endpoint: device.endpoint }]);
  await page.reload();
  await expect(choice).toBeChecked();
  await choice.click();
  await expect(choice).not.toBeChecked();
  await expect.poll(devices).toEqual([]);
  await choice.click();
  await expect.poll(devices).toHaveLength(1);

  await page.getByRole("button", { name: "Sign out" }).first().click();
  await expect(page).toHaveURL(/\/login$/);
  await expect.poll(device.isSubscribed).toBe(false);
});

test("a browser that blocks notifications says how to allow them", async ({ visit, person }) => {
  const page = await visit({ as: await person("Ada") });
  await page.addInitScript(() => Object.defineProperty(Notification, "permission", { get: () => "denied" }));
  await page.goto("/profile#notices");
  await expect(page.getByText("This browser blocks notifications from Skies.", { exact: false })).toBeVisible();
});
