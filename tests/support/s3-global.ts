import type { TestProject } from "vitest/node";
import { startS3 } from "./s3-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The servers' settings of a bucket, in a project that tests object storage. */
    s3: Record<string, string>;
  }
}

/** One object storage service and one bucket for the whole project. */
export default async function setup(project: TestProject) {
  const s3 = await startS3();
  project.provide("s3", await s3.bucket());
  return s3.close;
}
