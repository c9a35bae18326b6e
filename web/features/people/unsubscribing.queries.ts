import { useMutation } from "@tanstack/react-query";
import type { UnsubscribeReply } from "../../../shared/unsubscribe.ts";
import { callFunction } from "../../lib/request/call-function.ts";

/**
 * Returns a mutation that stops or resumes emails that other people cause, for the address in a token. It requires no
 * account.
 */
export const useUnsubscribe = (token: string) =>
  useMutation({
    mutationFn: (unsubscribed: boolean) => callFunction<UnsubscribeReply>("unsubscribe", { token, unsubscribed }),
  });
