import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { securityHeaders } from "../../server/http/security-headers.ts";
import { atEnd } from "../support/at-end.ts";
import { testServer } from "../support/server.ts";

const webFolder = await mkdtemp(join(tmpdir(), "skies-web-"));
atEnd(() => rm(webFolder, { recursive: true, force: true }));
await mkdir(join(webFolder, "assets"));
await writeFile(join(webFolder, "index.html"), "<head></head><script>alert(1)</script>");
await writeFile(join(webFolder, "assets/app-1234.js"), "export {}");

const server = await testServer({}, undefined, { webFolder });
const named = await testServer({ PUBLIC_URL: "https://skies.example" }, server, { webFolder });
const { host } = new URL(server.url);

const headersOf = async (path: string, from = server) => (await fetch(`${from.url}${path}`)).headers;
async function policyOf(path: string, from = server): Promise<Record<string, string[]>> {
  const policy = (await headersOf(path, from)).get("content-security-policy") ?? "";
  return Object.fromEntries(
    policy.split(";").map((directive) => {
      const [name = "", ...sources] = directive.trim().split(" ");
      return [name, sources];
    }),
  );
}

describe.each(["/", "/shared/0123456789abcdefghijkl", "/rest/v1/none", "/nothing.txt"])(
  "the security headers of %s",
  (path) => {
    test("no other page can frame it", async () => {
      expect((await headersOf(path)).get("x-frame-options")).toBe("DENY");
      expect((await policyOf(path))["frame-ancestors"]).toEqual(["'none'"]);
    });

    test("no other site receives its address, which may contain a share id", async () => {
      expect((await headersOf(path)).get("referrer-policy")).toBe("no-referrer");
    });

    test("other sites cannot reach its window or read its bytes", async () => {
      const headers = await headersOf(path);
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    });

    test("position and payment are off; camera, microphone and full screen are for our own pages", async () => {
      const policy = (await headersOf(path)).get("permissions-policy") ?? "";
      for (const feature of ["geolocation", "payment"]) {
        expect(policy).toContain(`${feature}=()`);
      }
      expect(policy).toContain("camera=(self), fullscreen=(self), microphone=(self)");
    });
  },
);

test("a script of the app is cached for a year and has few headers; a page is revalidated", async () => {
  const headers = await headersOf("/assets/app-1234.js");
  expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  expect([...headers.values()].join().length).toBeLessThan(600);
  expect((await headersOf("/")).get("cache-control")).toBe("no-cache");
});

test("scripts run only from the server, from the bot check or by their hash", async () => {
  const { "script-src": scripts = [] } = await policyOf("/");
  const page = "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='";
  expect(scripts).toEqual(["'self'", page, "https://challenges.cloudflare.com"]);
});

test("a page connects to the host that it came from and to no other", async () => {
  expect((await policyOf("/"))["connect-src"]).toEqual(["'self'", `ws://${host}`, `wss://${host}`]);
});

test("a page connects to the configured address as well", async () => {
  const sources = (await policyOf("/", named))["connect-src"];
  expect(sources?.slice(-2)).toEqual(["https://skies.example", "wss://skies.example"]);
});

test("a bad Host header is refused and adds nothing to the policy", async () => {
  const answer = await new Promise<{ status?: number; policy: unknown }>((resolve, reject) => {
    const requesting = request(server.url, { headers: { host: "skies.example; script-src *" } }, (response) => {
      response.resume();
      resolve({ status: response.statusCode, policy: response.headers["content-security-policy"] });
    });
    requesting.on("error", reject);
    requesting.end();
  });
  expect(answer.status).toBe(400);
  expect(String(answer.policy ?? "")).not.toContain("script-src *");
});

test("HTTPS is enforced in production only", async () => {
  expect((await headersOf("/")).get("strict-transport-security")).toBeNull();

  expect(securityHeaders({ widgets: [], collectors: [], isProduction: true }).strictTransportSecurity).toEqual({
    maxAge: 31_536_000,
    includeSubDomains: false,
  });
});
