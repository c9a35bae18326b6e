import { useMutation } from "@tanstack/react-query";
import type { StopNoticesReply } from "../../../shared/stop-notices.ts";
import { callFunction } from "../../lib/request/call-function.ts";

/** Stops or resumes the emails of a token; needs no account. */
export const useStopNotices = (token: string) =>
  useMutation({
    mutationFn: (stopped: boolean) => callFunction<StopNoticesReply>("stop-notices", { token, stopped }),
  });
