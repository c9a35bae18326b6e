/**
 * Why a file can not be stored. `network` passes by itself; `full`, `plan` and `failed` stay until somebody does
 * something; `type` and `size` are what the file is.
 */
export type UploadProblem = "type" | "size" | "full" | "plan" | "failed" | "network";

/** Whether the same file may be tried again as it is. */
export const isRetryable = (problem: UploadProblem | undefined) => problem !== "type" && problem !== "size";

/** An upload that did not reach its end. */
export class UploadFailure extends Error {
  constructor(
    readonly problem: UploadProblem,
    options?: ErrorOptions,
  ) {
    super(`upload: ${problem}`, options);
  }
}

/** A refusal of the storage protocol: `body` is its text, where a proxy left one. */
export interface StorageAnswer {
  method: string;
  status: number;
  body: string;
}

/** What a refusal means for the file: `stored` that it is there already, `expired` that the bearer must be renewed, `refused` that it may have to be. */
export function problemOf({ method, status, body }: StorageAnswer): UploadProblem | "stored" | "expired" | "refused" {
  const text = body.toLowerCase();
  // The object's name is ours alone, so what is there already are these very bytes.
  if (text.includes("already exists") || text.includes("duplicate")) return "stored";
  if (status === 507 || text.includes("storage_full")) return "full";
  if (status === 402) return "plan";
  if (status === 413 || text.includes("maximum allowed size")) return "size";
  if (status === 415 || text.includes("mime") || text.includes("invalid file type")) return "type";
  if (status === 401 || text.includes("jwt") || (method === "HEAD" && status === 400)) return "expired";
  if (status === 403) return "refused";
  // An upload that the server has forgotten is begun anew by the next try.
  if (method !== "POST" && (status === 404 || status === 410)) return "network";
  // The offset is asked for again before the next try; another tab's request may still hold the upload; a busy or
  // restarting server will be back.
  if (status === 408 || status === 409 || status === 423 || status === 429 || status >= 500) return "network";
  return "failed";
}
