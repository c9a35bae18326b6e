import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("a start with object storage prints nothing of the vendor's, on any supported version of Node", async () => {
  const bucket = JSON.stringify(new URL("bucket.ts", import.meta.url).href);
  const opened = `const { openBucket } = await import(${bucket});
    openBucket({ region: "default", bucket: "photos", prefix: "S3_", credentials: { accessKeyId: "a", secretAccessKey: "b" } }).close();`;
  const args = ["--import", "tsx", "--input-type=module", "--eval", opened];
  expect(await promisify(execFile)(process.execPath, args)).toEqual({ stdout: "", stderr: "" });
});
