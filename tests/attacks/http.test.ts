import { createHmac, generateKeyPairSync } from "node:crypto";
import { connect } from "node:net";
import { SignJWT } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { type Person, signUp } from "../support/people.ts";
import { type TestServer, testServer } from "../support/server.ts";
import { newMemory } from "../support/sharing.ts";

let server: TestServer;
let ada: Person;
let memory: string;
beforeAll(async () => {
  server = await testServer();
  ada = await signUp(server, "Ada");
  const data = await newMemory(ada.client, { person_name: "Rosa" });
  memory = data.id;
});

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const hour = () => Math.floor(Date.now() / 1000) + 3600;

describe("a token that the server did not sign opens nothing", () => {
  const claims = () => ({
    sub: ada.id,
    role: "service_role",
    aal: "aal2",
    exp: hour(),
    iss: JSON.parse(Buffer.from(ada.token.split(".")[1] ?? "", "base64url").toString()).iss,
  });
  const published = async () => {
    const reply = await fetch(`${server.url}/auth/v1/.well-known/jwks.json`);
    return ((await reply.json()) as { keys: { kid: string }[] }).keys[0];
  };
  const withHmac = (header: object, secret: string) => {
    const body = `${encoded(header)}.${encoded(claims())}`;
    return `${body}.${createHmac("sha256", secret).update(body).digest("base64url")}`;
  };
  const own = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const byOwnKey = async (header: object) =>
    new SignJWT(claims()).setProtectedHeader({ alg: "ES256", ...header }).sign(own.privateKey);

  const FORGERIES: Record<string, () => Promise<string> | string> = {
    "without a signature": () => `${encoded({ alg: "none", typ: "JWT" })}.${encoded(claims())}.`,
    "without a signature, in mixed case": () => `${encoded({ alg: "nOnE" })}.${encoded(claims())}.`,
    "signed with the public key as a secret": async () =>
      withHmac({ alg: "HS256", kid: (await published())?.kid }, JSON.stringify(await published())),
    "signed with the publishable key": () => withHmac({ alg: "HS256" }, server.keys.publishable),
    "signed by a foreign key under our key's id": async () => byOwnKey({ kid: (await published())?.kid }),
    "that contains its own key": () => byOwnKey({ jwk: own.publicKey.export({ format: "jwk" }) }),
    "that names the address of its key": () =>
      byOwnKey({ kid: "x", jku: `${server.url}/config.json`, x5u: server.url }),
    "whose key id is a path": () => byOwnKey({ kid: "../../../../dev/null" }),
    "whose key id is SQL": () => byOwnKey({ kid: "' or '1'='1" }),
    "with changed claims under a valid signature": () => {
      const [header, , signature] = ada.token.split(".");
      return `${header}.${encoded(claims())}.${signature}`;
    },
  };

  test.each(Object.entries(FORGERIES))("%s", async (_what, make) => {
    const headers = { apikey: server.keys.publishable, authorization: `Bearer ${await make()}` };
    for (const path of [
      "/rest/v1/memories?select=id",
      "/auth/v1/user",
      "/auth/v1/admin/users",
      "/storage/v1/bucket",
      `/storage/v1/object/authenticated/media/${memory}/x.jpg`,
    ]) {
      const reply = await fetch(`${server.url}${path}`, { headers });
      expect([400, 401, 403], path).toContain(reply.status);
    }
    const reply = await fetch(`${server.url}/functions/v1/my-data`, { method: "POST", headers, body: "{}" });
    expect([400, 401, 403, 404]).toContain(reply.status);
  });
});

describe("another site", () => {
  test("cannot act for a signed-in person, because no cookie is set", async () => {
    for (const path of ["/", "/config.json", "/auth/v1/health", "/shared/x", "/rest/v1/subscription_plans"]) {
      const reply = await fetch(`${server.url}${path}`, {
        headers: { apikey: server.keys.publishable, origin: "https://attacker.example" },
      });
      expect(reply.headers.get("set-cookie"), path).toBeNull();
      expect(reply.headers.get("access-control-allow-credentials"), path).toBeNull();
    }
  });

  test("cannot send a form that is accepted as a request of the app", async () => {
    const reply = await fetch(`${server.url}/functions/v1/delete-account`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", origin: "https://attacker.example" },
      body: "confirm=true",
    });
    expect(reply.status).toBe(401);
  });

  test("cannot put its host into a response by any header", async () => {
    for (const name of [
      "x-forwarded-host",
      "x-host",
      "x-forwarded-server",
      "forwarded",
      "x-original-url",
      "x-rewrite-url",
    ]) {
      for (const path of ["/", "/config.json", "/shared/x"]) {
        const reply = await fetch(`${server.url}${path}`, { headers: { [name]: "attacker.example" } });
        const whole = JSON.stringify([...reply.headers]) + (await reply.text());
        expect(whole, `${name} at ${path}`).not.toContain("attacker.example");
      }
    }
  });
});

test("private responses are not cached", async () => {
  const headers = { apikey: server.keys.publishable, authorization: `Bearer ${ada.token}` };
  for (const path of [`/rest/v1/memories?id=eq.${memory}`, "/auth/v1/user", "/config.json"]) {
    const reply = await fetch(`${server.url}${path}`, { headers });
    expect(reply.status).toBe(200);
    expect(reply.headers.get("cache-control") ?? "", path).toMatch(/no-store|private|no-cache/);
  }
});

test("a line break in a request cannot add response headers", async () => {
  const broken = encodeURIComponent("x\r\nset-cookie: taken=1\r\n\r\n<script>1</script>");
  const { data } = await ada.client.storage.from("media").createSignedUrl(`${memory}/x.jpg`, 60);
  for (const path of [
    `/storage/v1/object/authenticated/media/${memory}/x.jpg?download=${broken}`,
    `/auth/v1/verify?token=${broken}&type=signup&redirect_to=${broken}`,
    `/auth/v1/authorize?provider=google&redirect_to=${broken}`,
    `/functions/v1/unsubscribe?token=${broken}`,
    `/rest/v1/subscription_plans?select=${broken}`,
    `/shared/${broken}`,
    ...(data ? [`${new URL(data.signedUrl).pathname}?download=${broken}`] : []),
  ]) {
    const reply = await fetch(`${server.url}${path}`, {
      headers: { apikey: server.keys.publishable, authorization: `Bearer ${ada.token}` },
      redirect: "manual",
    });
    expect(reply.headers.get("set-cookie"), path).toBeNull();
    expect(reply.status, path).toBeLessThan(500);
  }
});

test("no request body pollutes the prototype of the server's objects", async () => {
  const bodies = [
    '{"__proto__":{"polluted":1}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    '{"data":{"__proto__":{"polluted":1}},"email":"x@example.com","password":"a good password"}',
    '[{"__proto__":{"polluted":1}}]',
  ];
  const paths = [
    "/rest/v1/memories",
    "/rest/v1/rpc/apply_voucher",
    "/auth/v1/signup",
    "/auth/v1/user",
    "/auth/v1/token?grant_type=password",
    "/storage/v1/object/list/media",
    "/storage/v1/object/sign/media",
    "/functions/v1/open-share",
    "/functions/v1/report",
  ];
  for (const path of paths) {
    for (const body of bodies) {
      const reply = await fetch(`${server.url}${path}`, {
        method: path === "/auth/v1/user" ? "PUT" : "POST",
        headers: {
          apikey: server.keys.publishable,
          authorization: `Bearer ${ada.token}`,
          "content-type": "application/json",
        },
        body,
      });
      expect(reply.status, `${path} ${body}`).toBeLessThan(500);
      expect(({} as { polluted?: number }).polluted, `${path} ${body}`).toBeUndefined();
    }
  }
});

describe("a request that two servers could read differently", () => {
  const HIDDEN = "GET /config.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const SHAPES: Record<string, string> = {
    "two lengths": `POST /rest/v1/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
    "a length and chunks": `POST /rest/v1/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
    "an unknown transfer encoding": `POST /rest/v1/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n${HIDDEN}`,
    "two transfer encodings": `POST /rest/v1/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${HIDDEN}`,
    "a space before the colon": `POST /rest/v1/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
    "a length with a sign": `POST /rest/v1/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: +0\r\n\r\n${HIDDEN}`,
    "a folded header": `POST /rest/v1/x HTTP/1.1\r\nHost: localhost\r\nX: y\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
    "a chunk of a strange size": `POST /rest/v1/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n${HIDDEN}`,
    "a bare line feed": `POST /rest/v1/x HTTP/1.1\nHost: localhost\nX: a\rContent-Length: 0\n\n${HIDDEN}`,
    "a zero byte in a header": `POST /rest/v1/x HTTP/1.1\r\nHost: localhost\r\nX: a\u0000b\r\nContent-Length: 0\r\n\r\n${HIDDEN}`,
  };

  test.each(Object.entries(SHAPES))("is refused with a single response: %s", async (_what, request) => {
    const { hostname, port } = new URL(server.url);
    const answered = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      let heard = "";
      socket.on("data", (data) => {
        heard += data;
      });
      socket.on("error", reject);
      socket.on("close", () => resolve(heard));
      socket.end(request);
    });
    expect(answered).toMatch(/^HTTP\/1\.1 4\d\d /);
    // The request hidden in the first one is not answered.
    expect(answered.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
    expect(answered).not.toContain("supabaseUrl");
  });
});
