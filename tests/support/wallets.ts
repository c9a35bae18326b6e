import { ed25519 } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { base58 } from "@scure/base";
import type { EthereumWallet, SolanaWallet } from "@supabase/supabase-js";

/** A new Ethereum wallet with the interface that the client expects. */
export function ethereumWallet() {
  const { secretKey, publicKey } = secp256k1.keygen();
  const uncompressed = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  const address = `0x${Buffer.from(keccak_256(uncompressed.subarray(1)).subarray(12)).toString("hex")}`;

  const sign = (text: string | Uint8Array): `0x${string}` => {
    const message = Buffer.from(text);
    const hash = keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`), message]));
    const signed = secp256k1.sign(hash, secretKey, { prehash: false, format: "recovered" });
    const recovery = Buffer.from([27 + (signed[0] ?? 0)]);
    return `0x${Buffer.concat([signed.subarray(1), recovery]).toString("hex")}`;
  };
  const wallet = {
    address,
    on: () => undefined,
    removeListener: () => undefined,
    async request({ method, params }: { method: string; params?: unknown }) {
      if (method === "eth_requestAccounts") return [address];
      if (method === "eth_chainId") return "0x1";
      const [hex = ""] = params as string[];
      return sign(Buffer.from(hex.slice(2), "hex"));
    },
  } as unknown as EthereumWallet;
  return { address, wallet, sign };
}

/** A new Solana wallet as the client expects it: one that signs texts, and one that creates the text itself. */
export function solanaWallet() {
  const { secretKey, publicKey } = ed25519.keygen();
  const address = base58.encode(publicKey);
  const sign = (text: string | Uint8Array) => ed25519.sign(Buffer.from(text), secretKey);
  const texts: SolanaWallet = {
    publicKey: { toBase58: () => address },
    signMessage: async (message) => sign(message),
  };
  const whole: SolanaWallet = {
    async signIn({ domain, uri, statement, issuedAt, nonce } = {}) {
      const lines = [
        `${domain} wants you to sign in with your Solana account:`,
        address,
        "",
        ...(statement ? [statement, ""] : []),
        `URI: ${uri}`,
        "Version: 1",
        "Chain ID: mainnet",
        ...(nonce ? [`Nonce: ${nonce}`] : []),
        `Issued At: ${issuedAt}`,
      ];
      const signedMessage = new TextEncoder().encode(lines.join("\n"));
      const account = { address, publicKey, chains: [], features: [] };
      return { account, signedMessage, signature: sign(signedMessage) };
    },
  };
  return { address, texts, whole, sign };
}
