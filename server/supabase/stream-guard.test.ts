import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { RetryLaterError } from "../../shared/request-error.ts";
import { type AccessCheck, openStreamGuard } from "./stream-guard.ts";

const ends: (() => unknown)[] = [];
afterEach(() => Promise.all(ends.splice(0).map((end) => end())));

const databaseAway = () => Object.assign(new Error("no connection"), { code: "08006", severity: "ERROR" });

/** Sends a request whose response is watched with `check`; `begin` gets the response. */
async function request(check: AccessCheck, begin: (response: ServerResponse) => unknown) {
  const guard = openStreamGuard({ changes: () => 0 });
  const server = createServer((_request, response) => {
    guard.watch(response, check);
    begin(response);
  });
  ends.push(
    () => guard.close(),
    () => server.close(),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).then((reply) => reply.text());
}

/** Returns a check that fails with these errors, and then `after` is called. */
function failing(errors: Error[], after: () => void): AccessCheck {
  return async () => {
    const error = errors.shift();
    if (error) throw error;
    after();
  };
}

test("an upload whose permission cannot be read for a moment gets its answer", async () => {
  let answer = () => {};
  const check = failing([databaseAway(), new RetryLaterError("busy", 1)], () => answer());
  const reply = await request(check, (response) => {
    answer = () => response.end("stored");
  });
  expect(reply).toBe("stored");
});

test("a download goes on if its permission could not be read once", async () => {
  let end = () => {};
  const reply = await request(
    failing([databaseAway()], () => end()),
    (response) => {
      response.write("first ");
      end = () => response.end("second");
    },
  );
  expect(reply).toBe("first second");
});

test("a download ends when its permission could not be read for a while", async () => {
  const away = async () => {
    throw databaseAway();
  };
  await expect(request(away, (response) => response.write("first"))).rejects.toThrow();
});

test("an upload and a download end as soon as access has ended", async () => {
  const refused = async () => {
    throw new Error("Object not found");
  };
  await expect(request(refused, () => {})).rejects.toThrow();
  await expect(request(refused, (response) => response.write("first"))).rejects.toThrow();
});
