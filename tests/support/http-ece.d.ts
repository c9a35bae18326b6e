declare module "http_ece" {
  import type { ECDH } from "node:crypto";

  /** Decrypts a message by RFC 8188, as a browser does with push messages. `authSecret` is base64url. */
  export function decrypt(
    message: Buffer,
    options: { version: "aes128gcm"; privateKey: ECDH; authSecret: string },
  ): Buffer;
}
