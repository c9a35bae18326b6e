/** No copy without private data can be made of this video here. */
export class UnreadableVideoError extends Error {
  readonly reason: string;
  constructor(reason: string, options?: ErrorOptions) {
    super(`Only its managers can have this video: ${reason}`, options);
    this.reason = reason;
  }
}
