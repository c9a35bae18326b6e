/** Why a file can not be stored. `network` passes by itself; the others stay until somebody does something. */
export type UploadProblem = "type" | "size" | "failed" | "network";

/** An upload that did not reach its end. */
export class UploadFailure extends Error {
  constructor(
    readonly problem: UploadProblem,
    options?: ErrorOptions,
  ) {
    super(`upload: ${problem}`, options);
  }
}

/** Reads the storage protocol's refusal: `status` is HTTP's, `body` its JSON error as text, where a proxy left one. */
export function problemOfResponse(status: number, body: string): UploadProblem | "stored" {
  const text = body.toLowerCase();
  // The object's name is ours alone, so what is there already are these very bytes.
  if (status === 409 || text.includes("already exists") || text.includes("duplicate")) return "stored";
  if (status === 413 || text.includes("maximum allowed size")) return "size";
  if (status === 415 || text.includes("mime") || text.includes("invalid file type")) return "type";
  // Another tab's request may still hold the upload; a busy or restarting server will be back.
  if (status === 423 || status === 429 || status >= 500) return "network";
  return "failed";
}
