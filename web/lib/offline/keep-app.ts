import type { CopyMessage } from "./copy-message.ts";

/** Has the service worker keep the app and these pictures. Browsers without one, and insecure sites, keep nothing. */
export async function keepApp(message: CopyMessage): Promise<void> {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  const registration = await serviceWorker.register("/sw.js", { updateViaCache: "none" });
  await serviceWorker.ready;
  registration.active?.postMessage(message);
  await askForContact(registration);
}

/** Has Chrome renew the contact of an installed app once a day, so that its copies are still there next year. */
async function askForContact(registration: ServiceWorkerRegistration) {
  const { periodicSync } = registration as {
    periodicSync?: { register: (name: string, options: { minInterval: number }) => Promise<void> };
  };
  await periodicSync?.register("contact", { minInterval: 86_400_000 }).catch(() => {});
}
