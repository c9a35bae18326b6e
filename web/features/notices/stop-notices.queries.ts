import { useMutation } from "@tanstack/react-query";
import type { StopNoticesReply } from "../../../shared/stop-notices.ts";
import { callFunction } from "../../lib/request/call-function.ts";

/** Returns a mutation that stops or resumes the emails to which a token belongs. It requires no account. */
export const useStopNotices = (token: string) =>
  useMutation({
    mutationFn: (stopped: boolean) => callFunction<StopNoticesReply>("stop-notices", { token, stopped }),
  });
