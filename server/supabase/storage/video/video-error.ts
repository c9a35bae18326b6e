/** A video whose container can not be followed safely: what in it is private can not be told. */
export class UnreadableVideo extends Error {
  constructor(reason: string) {
    super(`This video can only be had by whoever keeps it: ${reason}`);
  }
}
