import { useMutation } from "@tanstack/react-query";
import type { Report } from "../../../shared/report.ts";
import type { SupabaseClient } from "../../lib/request/database-client.ts";

/** Why a report was not taken. */
class ReportFailure extends Error {
  constructor(
    readonly why: "tooMany" | "failed",
    cause: unknown,
  ) {
    super("Failed to send the report", { cause });
  }
}

/** Sends a report as whoever looks at the page; throws `ReportFailure`. */
export const useSendReport = (client: SupabaseClient) =>
  useMutation<void, ReportFailure, Report>({
    mutationFn: async (body) => {
      const { error, response } = await client.functions.invoke("report", { body });
      if (error) throw new ReportFailure(response?.status === 429 ? "tooMany" : "failed", error);
    },
  });
