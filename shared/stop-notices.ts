import { z } from "zod";

/** Body of stop-notices: the token of an email's link, and whether to stop such emails. */
export const StopNotices = z.object({ token: z.string().max(1000), stopped: z.boolean().default(true) });

/** The state after the change. */
export interface StopNoticesReply {
  /** Whether it concerns one memory or all. */
  about: "memory" | "all";
  stopped: boolean;
}
