import { useMutation } from "@tanstack/react-query";
import type { UnsubscribeReply } from "../../../shared/unsubscribe.ts";
import { callFunction } from "../../lib/request/call-function.ts";

/** Ends emails from other people to the address of an email's token, or lets them come again; needs no account. */
export const useUnsubscribe = (token: string) =>
  useMutation({
    mutationFn: (unsubscribed: boolean) => callFunction<UnsubscribeReply>("unsubscribe", { token, unsubscribed }),
  });
