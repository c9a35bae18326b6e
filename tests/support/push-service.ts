import { createECDH, type ECDH, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { Agent, createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { decrypt } from "http_ece";
import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from "jose";
import { atEnd } from "./at-end.ts";
import { makeCertificate } from "./proxy.ts";

/** A device with a subscription, like a browser's. */
export interface TestDevice {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** What a push service has received for a device. */
interface Received {
  device: string;
  /** The decrypted message. */
  message: Record<string, unknown>;
  /** What the service itself can read. */
  sealed: Buffer;
  headers: NodeJS.Dict<string | string[]>;
}

/** Starts a push service on loopback that takes the place of all real ones. It decrypts messages as browsers do. */
export async function testPushService() {
  const folder = await mkdtemp(join(tmpdir(), "skies-push-"));
  await makeCertificate(folder);
  const [cert, key] = await Promise.all(["cert.pem", "key.pem"].map((name) => readFile(join(folder, name))));
  const devices = new Map<string, { keys: ECDH; auth: Buffer }>();
  const received: Received[] = [];
  const answers = new Map<string, number>();

  const server = createServer({ cert, key }, async (request, response) => {
    const body = await buffer(request);
    const url = `https://${request.headers.host}${request.url}`;
    const device = devices.get(url);
    const status = answers.get(url) ?? (device ? 201 : 404);
    if (device && status === 201) {
      await verifyVapid(request.headers.authorization ?? "", new URL(url).origin);
      const text = decrypt(body, {
        version: "aes128gcm",
        privateKey: device.keys,
        authSecret: device.auth.toString("base64url"),
      });
      received.push({ device: url, message: JSON.parse(text.toString()), sealed: body, headers: request.headers });
    }
    response.writeHead(status).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ host: "127.0.0.1", port, ca: cert, checkServerIdentity: () => undefined });
  atEnd(async () => {
    agent.destroy();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  return {
    agent,
    received,
    /** Has the service answer with this status to messages for a device. */
    answer: (device: TestDevice, status: number) => answers.set(device.endpoint, status),
    /** Subscribes a new device. */
    subscribe(): TestDevice {
      const keys = createECDH("prime256v1");
      const auth = randomBytes(16);
      const endpoint = `https://fcm.googleapis.com/fcm/send/${randomUUID()}`;
      devices.set(endpoint, { keys, auth });
      return { endpoint, p256dh: keys.generateKeys("base64url"), auth: auth.toString("base64url") };
    },
  };
}

/** Checks a request's signature as RFC 8292 demands of push services. */
async function verifyVapid(authorization: string, audience: string) {
  const [, token = "", publicKey = ""] = /^vapid t=([^,]+), ?k=(.+)$/i.exec(authorization) ?? [];
  const point = Buffer.from(publicKey, "base64url");
  const half = (from: number) => point.subarray(from, from + 32).toString("base64url");
  const key = await importJWK({ kty: "EC", crv: "P-256", x: half(1), y: half(33) }, "ES256");
  await jwtVerify(token, key, { audience });
  if (decodeProtectedHeader(token).alg !== "ES256" || !/^(mailto:|https:)/.test(decodeJwt(token).sub ?? ""))
    throw new Error("The signature names no contact");
}
