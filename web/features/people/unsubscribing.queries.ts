import { useMutation } from "@tanstack/react-query";
import type { UnsubscribeReply } from "../../../shared/unsubscribe.ts";
import { callFunction } from "../../lib/request/call-function.ts";

/** Stops or resumes emails from other people to the address of a token; needs no account. */
export const useUnsubscribe = (token: string) =>
  useMutation({
    mutationFn: (unsubscribed: boolean) => callFunction<UnsubscribeReply>("unsubscribe", { token, unsubscribed }),
  });
