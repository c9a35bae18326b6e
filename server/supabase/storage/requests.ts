import { z } from "zod";
import { badRequest } from "./storage-error.ts";

/** Characters that every S3-compatible store accepts, except `?`, because clients do not encode names in URLs. */
const NAME = /^[\w/!\-.*'() &$@=;:+,]+$/;
const MAX_NAME_BYTES = 1024;

/** Whether an object may have this name: at most 1024 bytes, no leading slash, no empty, `.` or `..` folder. */
export const isObjectName = (name: string): boolean =>
  name.length <= MAX_NAME_BYTES &&
  NAME.test(name) &&
  name.split("/").every((part) => part !== "" && part !== "." && part !== "..");

/** Returns the name. Refuses an invalid one with the hosted platform's message. */
export function objectName(name: unknown): string {
  if (typeof name !== "string" || !isObjectName(name)) throw badRequest(`Invalid key: ${String(name).slice(0, 200)}`);
  return name;
}

/** Whether a bucket may have this id; it also names a folder. */
export const isBucketName = (name: string): boolean =>
  name.length <= 100 && NAME.test(name) && !name.includes("/") && !/^\.+$/.test(name);

export const InBucket = z.object({ bucket: z.string() });
/** The parameters of an object's routes; its name is the rest of the path. */
export const Named = InBucket.extend({ "*": z.string() });
