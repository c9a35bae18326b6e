import { parentPort } from "node:worker_threads";
import { type ErrorCode, RequestError } from "../../shared/request-error.ts";
import { cleanHtml } from "./html.ts";

/** HTML of one request to clean. */
export interface CleaningJob {
  id: number;
  values: string[];
}

export interface CleaningResult {
  id: number;
  cleaned?: string[];
  /** The parts of a refusal, because errors lose their class between threads. */
  refused?: { status: number; message: string; code: ErrorCode };
  failed?: Error;
}

parentPort?.on("message", ({ id, values }: CleaningJob) => {
  const answer = (result: Omit<CleaningResult, "id">) => parentPort?.postMessage({ id, ...result });
  try {
    answer({ cleaned: values.map(cleanHtml) });
  } catch (error) {
    if (error instanceof RequestError) {
      const { status, message, code } = error;
      answer({ refused: { status, message, code } });
    } else answer({ failed: error as Error });
  }
});
