import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import { scanCard } from "./cards/scanned-card.ts";
import { endpoints, fileEndpoints } from "./functions/endpoints.ts";
import { mountFunctions } from "./functions/mount.ts";
import { prepareRequests } from "./http/every-request.ts";
import { type HttpOptions, openHttpServer } from "./http/http-server.ts";
import type { JobState } from "./jobs/worker.ts";
import type { RefusalCount } from "./limits/count-refusals.ts";
import { requestLimits } from "./limits/request-limits.ts";
import { isWrongVoucher } from "./orders/checkout.ts";
import { openLinkPreviews } from "./pages/link-previews.ts";
import { webApp } from "./pages/web-app.ts";
import { type Foundation, openServices, type Services } from "./services.ts";
import { staysAdmitted } from "./sharing/link-devices.ts";
import { auth } from "./supabase/auth/plugin.ts";
import { realtime } from "./supabase/realtime/plugin.ts";
import { rest } from "./supabase/rest/plugin.ts";
import { storage } from "./supabase/storage/plugin.ts";

export interface AppOptions extends Foundation, HttpOptions {
  /** Pages of the sandboxes, by their name under /sandbox. */
  sandboxes?: Record<string, FastifyPluginAsync>;
  refusals?: RefusalCount | undefined;
  jobStates?: () => JobState[];
  /** Aborted when open sockets should reconnect, to another process. */
  leaving?: AbortSignal | undefined;
}

/** The table of contents: every base path and what answers there. */
export async function createApp(options: AppOptions): Promise<{ app: FastifyInstance; services: Services }> {
  const { settings, secrets, webFolder, sandboxes = {}, metrics, refusals, leaving, jobStates = () => [] } = options;
  const app = openHttpServer(options);
  const costs = requestLimits(settings.REQUEST_BUDGET);
  // The services read the database while the framework starts.
  const opening = openServices(options, { app, costs });
  // Awaited below, unless an earlier step fails.
  opening.catch(() => {});
  await prepareRequests(app, { settings, webFolder, limits: costs, refusals });
  const services = await opening;
  app.addHook("onClose", () => services.close());

  await app.register(auth(services.accounts), { prefix: "/auth/v1" });

  const guessable = { apply_voucher: { attempts: services.vouchers, isWrong: isWrongVoucher } };
  const cleaners = { html: services.html };
  await app.register(rest({ ...services, cleaners, guessable }), { prefix: "/rest/v1" });

  await app.register(storage({ ...services, urlSecret: secrets.urls }), { prefix: "/storage/v1" });

  const watchSockets = metrics?.watchSockets;
  await app.register(realtime({ ...services, watchSockets, leaving }), { prefix: "/realtime/v1" });

  for (const prefix of ["/functions/v1", "/.netlify/functions"]) {
    await app.register(mountFunctions(endpoints, fileEndpoints, services), { prefix });
  }

  for (const [name, page] of Object.entries(sandboxes)) await app.register(page, { prefix: `/sandbox/${name}` });

  await app.register(
    webApp({
      ...services,
      jobStates,
      publishableKey: secrets.publishableKey,
      previews: openLinkPreviews(services),
      scanCard: scanCard(services),
      staysAdmitted: staysAdmitted(services),
      folder: webFolder,
    }),
  );
  return { app, services };
}
