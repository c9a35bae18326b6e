import { useMutation } from "@tanstack/react-query";
import type { StopNoticesReply } from "../../../shared/stop-notices.ts";
import { callFunction } from "../../lib/request/call-function.ts";

/** Ends the emails that a token is about, or lets them come again; needs no account. */
export const useStopNotices = (token: string) =>
  useMutation({
    mutationFn: (stopped: boolean) => callFunction<StopNoticesReply>("stop-notices", { token, stopped }),
  });
