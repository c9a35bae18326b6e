import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { freePort } from "../../scripts/setup/free-port.mjs";
import { DatabaseUnavailableError } from "../database/database.ts";
import { OverloadedError, serviceFailure } from "./service-failure.ts";

const sqlError = (code: string) => Object.assign(new Error("words of the database"), { code });

test.each([
  ["57014", "timeout"],
  ["53300", "busy"],
  ["53200", "busy"],
  ["53100", "disk_full"],
  ["25006", "read_only"],
  ["08006", "unreachable"],
  ["57P01", "unreachable"],
  ["57P03", "unreachable"],
])("SQLSTATE %s is a failure: %s", (code, kind) => {
  expect(serviceFailure(sqlError(code))?.kind).toBe(kind);
});

test.each(["23505", "42501", "53400", "57P04", "XX000"])("SQLSTATE %s is not a service failure", (code) => {
  expect(serviceFailure(sqlError(code))).toBeUndefined();
});

test.runIf(existsSync("/dev/full"))("a file that cannot be written for lack of storage is a full disk", async () => {
  const error = await writeFile("/dev/full", "x").catch((reason: unknown) => reason);
  expect(serviceFailure(error)?.kind).toBe("disk_full");
  expect(serviceFailure(new Error("The part could not be written", { cause: error }))?.kind).toBe("disk_full");
});

test("a database without a server is reported as not reachable", async () => {
  const port = await freePort();
  const error = await new Promise((resolve) => connect(port, "127.0.0.1").once("error", resolve));
  expect(serviceFailure(new DatabaseUnavailableError(error))).toMatchObject({ kind: "unreachable", retryAfter: 1 });
  const broken = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
  expect(serviceFailure(new DatabaseUnavailableError(broken))?.kind).toBe("unreachable");
  // Another service, e.g. the mail server, is not the database.
  expect(serviceFailure(error)).toBeUndefined();
});

test("a full queue asks to retry later, and a bug is not a service failure", () => {
  expect(serviceFailure(new OverloadedError())).toMatchObject({ kind: "busy", retryAfter: 1 });
  expect(serviceFailure(new TypeError("x is not a function"))).toBeUndefined();
  expect(serviceFailure("text")).toBeUndefined();
});
