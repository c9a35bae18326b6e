import { createHash } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { base58 } from "@scure/base";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { RequestError } from "../../../../shared/request-error.ts";
import { invalid, parse } from "../bodies.ts";
import type { AuthContext } from "../context.ts";
import { resolveAccount } from "../external/resolve-account.ts";
import { deviceOf, type Grant } from "../grant.ts";
import { redirectTo } from "../redirects.ts";
import { openSession } from "../sessions.ts";
import { readMessage, type SignedMessage } from "./signed-message.ts";

const CHAINS = {
  ethereum: {
    name: "Ethereum",
    address: /^0x[\da-fA-F]{40}$/,
    signature: /^(?:0x)?[\da-fA-F]{130}$/,
    isSigned: isSignedByEthereum,
    // Letter case is a checksum. Addresses that differ in case alone are equal.
    account: (address: string) => address.toLowerCase(),
    needsChainId: true,
  },
  solana: {
    name: "Solana",
    address: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
    signature: /^[\w+/-]{86}(?:==)?$/,
    isSigned: isSignedBySolana,
    account: (address: string) => address,
    needsChainId: false,
  },
} as const;

const Body = z.object({
  chain: z.enum(["ethereum", "solana"]),
  message: z.string().min(64, "message is too short").max(20_480, "message must not exceed 20KB"),
  signature: z.string().max(200),
});

/** In ms: the maximum age of a signature, and the tolerated clock difference. */
const OLDEST = 600_000;
const TOLERANCE = 60_000;

/** Opens a session for the holder of a blockchain account's key. Each message opens one session. */
export async function web3Grant(auth: AuthContext, request: FastifyRequest): Promise<Grant> {
  const { chain: chainName, message: text, signature } = parse(Body, request.body);
  const chain = CHAINS[chainName];
  if (!chain.signature.test(signature)) throw invalid("signature must be 64 or 65 bytes in the chain's own encoding");
  const message = readMessage(text, chain.name);
  if (
    !message ||
    !chain.address.test(message.address) ||
    (chain.needsChainId && !/^\d+$/.test(message.chainId ?? ""))
  ) {
    throw invalid(`message is no ${chain.name} sign-in message`);
  }
  if (!chain.isSigned(text, signature, message.address)) throw refused("Signature does not match address in message");
  checkPlace(auth, message, chain.name);
  checkTimes(message, chain.name, Date.now());
  await consumeToken(auth, text, chain.name);
  const address = chain.account(message.address);
  const subject = `web3:${chainName}:${address}`;
  const person = {
    subject,
    issuer: chainName,
    email: undefined,
    emailVerified: false,
    name: undefined,
    picture: undefined,
  };
  const { chainId: network = null, domain, statement = null } = message;
  const newcomer = { provider: "web3", person, details: { address, chain: chainName, network, domain, statement } };
  const device = deviceOf(request);
  return auth.db.transaction(async (tx) =>
    openSession(auth, tx, await resolveAccount(auth, tx, newcomer, device), "web3", device),
  );
}

/** Refuses a message that was signed for another site. */
function checkPlace({ redirects }: AuthContext, { uri, domain }: SignedMessage, chain: string) {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const isOurs = () => {
    try {
      return Boolean(redirectTo(redirects, uri));
    } catch {
      return false;
    }
  };
  if (!url || !isOurs()) {
    throw refused(
      `Signed ${chain} message is using URI which is not allowed on this server, message was signed for another app`,
    );
  }
  if (url.host !== domain) {
    throw refused(`Signed ${chain} message is using a Domain that does not match the one in URI`);
  }
}

function checkTimes({ issuedAt, expiresAt, notBefore }: SignedMessage, chain: string, now: number) {
  if (notBefore && notBefore.getTime() > now + TOLERANCE) {
    throw refused(`Signed ${chain} message becomes valid in the future`);
  }
  if (expiresAt && expiresAt.getTime() <= now) throw refused(`Signed ${chain} message is expired`);
  if (issuedAt.getTime() < now - OLDEST) throw refused(`${chain} message was issued too long ago`);
  if (issuedAt.getTime() > now + TOLERANCE) throw refused(`${chain} message was issued too far in the future`);
}

/** Refuses a message that was used before. Counts messages, because one message can have several signatures. */
async function consumeToken({ limits }: AuthContext, text: string, chain: string) {
  const hash = createHash("sha256").update(text).digest("base64url");
  const { count } = await limits.count(`signed message ${hash}`, (OLDEST + 2 * TOLERANCE) / 1000);
  if (count > 1) throw refused(`Signed ${chain} message was used already`);
}

const refused = (message: string) => new RequestError("invalid_credentials", { message });

/** Whether an Ethereum account signed a text as wallets do (EIP-191). `signature` is 65 bytes in hexadecimal. */
function isSignedByEthereum(text: string, signature: string, address: string): boolean {
  const bytes = Buffer.from(signature.replace(/^0x/, ""), "hex");
  // The recovery byte: most wallets write 27 or 28, some 0 or 1.
  const recovery = (bytes[64] ?? 0) % 27;
  if (bytes.length !== 65 || recovery > 1) return false;
  const encoded = Buffer.from(text, "utf8");
  const hash = keccak_256(
    Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${encoded.length}`, "utf8"), encoded]),
  );
  return attempt(() => {
    const signed = secp256k1.Signature.fromBytes(bytes.subarray(0, 64), "compact").addRecoveryBit(recovery);
    if (signed.hasHighS()) return false;
    const key = signed.recoverPublicKey(hash).toBytes(false);
    const signer = Buffer.from(keccak_256(key.subarray(1)).subarray(12)).toString("hex");
    return `0x${signer}` === address.toLowerCase();
  });
}

/** Whether a Solana account signed a text. `signature` is 64 bytes in base64, in either alphabet. */
function isSignedBySolana(text: string, signature: string, address: string): boolean {
  const bytes = Buffer.from(signature, "base64url");
  return attempt(() =>
    ed25519.verify(bytes, Buffer.from(text, "utf8"), base58.decode(address), {
      // Strict as in RFC 8032: otherwise a message could have several signatures.
      zip215: false,
    }),
  );
}

/** Runs a check. Returns false if it throws, as the packages do on malformed signatures and keys. */
function attempt(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}
