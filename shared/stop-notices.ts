import { z } from "zod";

/** What `stop-notices` takes as JSON: the token of an email's link, and whether no more such emails are wanted. */
export const StopNotices = z.object({ token: z.string().max(1000), stopped: z.boolean().default(true) });

/** What holds from now on. */
export interface StopNoticesReply {
  /** Of one memory, or of all of them. */
  about: "memory" | "all";
  stopped: boolean;
}
