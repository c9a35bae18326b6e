/** Why an upload failed. `network` is retried; `full`, `plan`, `failed` need the person; `type`, `size` are final. */
export type UploadProblem = "type" | "size" | "full" | "plan" | "failed" | "network";

/** Whether the same file may be uploaded again. */
export const isRetryable = (problem: UploadProblem | undefined) => problem !== "type" && problem !== "size";

/** A failed upload. */
export class UploadFailure extends Error {
  constructor(
    readonly problem: UploadProblem,
    options?: ErrorOptions,
  ) {
    super(`upload: ${problem}`, options);
  }
}

/** An error response of the storage protocol; `body` is its text, if a proxy did not replace it. */
export interface StorageAnswer {
  method: string;
  status: number;
  body: string;
}

/**
 * Classifies an error response. `stored`: the file exists already; `expired`: the token must be renewed; `refused`: the
 * token may have to be renewed.
 */
export function problemOf({ method, status, body }: StorageAnswer): UploadProblem | "stored" | "expired" | "refused" {
  const text = body.toLowerCase();
  // A page of something on the way, e.g. of a network's sign-in: whatever it says is not about this file. Only a gateway
  // that takes no request of this size will not take the next one either.
  if (/^\s*<(!doctype|html)\b/.test(text)) return status === 413 ? "size" : "network";
  // Object names are unique to an upload, so an existing object has the same bytes.
  if (text.includes("already exists") || text.includes("duplicate")) return "stored";
  if (status === 507 || text.includes("storage_full")) return "full";
  if (status === 402) return "plan";
  if (status === 413 || text.includes("maximum allowed size")) return "size";
  if (status === 415 || text.includes("mime") || text.includes("invalid file type")) return "type";
  if (status === 401 || text.includes("jwt") || (method === "HEAD" && status === 400)) return "expired";
  if (status === 403) return "refused";
  // The server has deleted the upload; the next attempt creates a new one.
  if (method !== "POST" && (status === 404 || status === 410)) return "network";
  // The next attempt asks for the offset again: another tab may hold the upload, or the server is busy or restarting.
  if (status === 408 || status === 409 || status === 423 || status === 429 || status >= 500) return "network";
  return "failed";
}
