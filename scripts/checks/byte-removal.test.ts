import { expect, test } from "vitest";
import { byteRemoval, forbiddenRemoval } from "./byte-removal.mjs";

test("the check refuses a module that deletes files or bytes on its own", async () => {
  const path = "server/supabase/storage/receive.ts";
  for (const text of [
    'import { readdir, rm } from "node:fs/promises";',
    'import { unlinkSync } from "node:fs";',
    "await files.removeBytes([key]);",
    'import { DeleteObjectsCommand } from "@aws-sdk/client-s3";',
    "await bucket.abortUpload(name, id);",
    'await db.query("select storage.decide_removals(1, now(), false)");',
  ]) {
    expect(forbiddenRemoval(path, text), text).toBeDefined();
  }
  expect(forbiddenRemoval(path, 'import { rename } from "node:fs/promises";')).toBeUndefined();
  expect((await byteRemoval()).wrong).toBe("");
});
