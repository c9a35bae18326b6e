import { ed25519 } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { base58 } from "@scure/base";

/** Whether an Ethereum account signed a text as wallets do (EIP-191). `signature` is 65 bytes in hexadecimal. */
export function isSignedByEthereum(text: string, signature: string, address: string): boolean {
  const bytes = Buffer.from(signature.replace(/^0x/, ""), "hex");
  // Wallets write 27 and 28, some 0 and 1.
  const recovery = (bytes[64] ?? 0) % 27;
  if (bytes.length !== 65 || recovery > 1) return false;
  const told = Buffer.from(text, "utf8");
  const hash = keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${told.length}`, "utf8"), told]));
  return attempt(() => {
    const signed = secp256k1.Signature.fromBytes(bytes.subarray(0, 64), "compact").addRecoveryBit(recovery);
    if (signed.hasHighS()) return false;
    const key = signed.recoverPublicKey(hash).toBytes(false);
    const signer = Buffer.from(keccak_256(key.subarray(1)).subarray(12)).toString("hex");
    return `0x${signer}` === address.toLowerCase();
  });
}

/** Whether a Solana account signed a text. `signature` is 64 bytes in base64, in either alphabet. */
export function isSignedBySolana(text: string, signature: string, address: string): boolean {
  const bytes = Buffer.from(signature, "base64url");
  return attempt(() =>
    ed25519.verify(bytes, Buffer.from(text, "utf8"), base58.decode(address), {
      // As RFC 8032 has it: of one key, and one message, one signature.
      zip215: false,
    }),
  );
}

/** What is no signature or no key at all makes the packages throw. */
function attempt(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}
