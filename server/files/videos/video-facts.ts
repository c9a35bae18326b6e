/** What a container says of its video; each part is undefined where it does not say, or nothing sensible. */
export interface VideoFacts {
  /** Pixels as seen upright. */
  width: number | undefined;
  height: number | undefined;
  /** Seconds. */
  duration: number | undefined;
  /** The camera's clock as `2019-05-04T12:33:11`; in UTC where it tells no other. */
  recorded: string | undefined;
  /** By which a phone says that it belongs to a photo. */
  contentIdentifier: string | undefined;
}
