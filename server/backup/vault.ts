import { createHmac, hkdfSync } from "node:crypto";
import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { z } from "zod";
import { BackupError, type BackupPlace, contentOf, textFile } from "./place.ts";

/** A store of backups, encrypted if there is a passphrase. Names are those of the plain files. */
export interface Vault extends BackupPlace {
  isEncrypted: boolean;
  /** The name of the file with the bytes of this SHA-256. */
  objectName(sha256: string): string;
  /** The stored size of a file of so many plain bytes. */
  storedSize(plain: number): number;
}

const ABOUT = "skies-backup.json";
const KEY = "key.age";
const FORMAT = 1;
const About = z.object({ format: z.number(), encrypted: z.boolean() });
/** Upper limit of the two small files at the top of a place of backups. */
const MOST_BYTES = 64 * 1024;

/** age encrypts chunks of 64 KiB, and adds 16 bytes to each. */
const PIECE = 64 * 1024;
const TAG = 16;
/** Bytes of the header and the nonce with a single X25519 recipient. */
const HEADER = 184;

interface Options {
  passphrase?: string | undefined;
  /** Whether an empty place is initialised. */
  create?: boolean;
  /** The cost of deriving the key from the passphrase, as a power of two. */
  workFactor?: number;
}

/**
 * Opens a place for backups. With a passphrase, files are encrypted in the age format for one key, which is stored with
 * them, encrypted with the passphrase: `age -d` decrypts it with the passphrase alone. Rejects with {@link BackupError}
 * if the passphrase is wrong or missing.
 */
export async function openVault(place: BackupPlace, { passphrase, create, workFactor }: Options): Promise<Vault> {
  const about = await readAbout(place);
  if (!about) {
    if (!create) throw new BackupError(`There are no backups in ${place.title}.`);
    for await (const name of place.list("")) {
      if (name !== KEY)
        throw new BackupError(`${place.title} is not empty, and not a place of backups. Choose another one.`);
    }
    if (passphrase) await place.write(KEY, await newKey(passphrase, workFactor));
    await place.write(ABOUT, textFile(`${JSON.stringify({ format: FORMAT, encrypted: Boolean(passphrase) })}\n`));
    return openVault(place, { passphrase });
  }
  if (about.format !== FORMAT) throw new BackupError(`${place.title} was written by a later version of Skies.`);
  if (!about.encrypted && passphrase) {
    throw new BackupError(
      `The backups in ${place.title} are not encrypted. Take the passphrase away, or choose another place.`,
    );
  }
  if (!about.encrypted) return plainVault(place);
  if (!passphrase) {
    throw new BackupError(`The backups in ${place.title} are encrypted. Set BACKUP_PASSPHRASE to their passphrase.`);
  }
  return ageVault(place, await openKey(place, passphrase));
}

/** Whether backups were begun here. */
export const isVault = async (place: BackupPlace): Promise<boolean> => (await place.size(ABOUT)) !== undefined;

async function readAbout(place: BackupPlace): Promise<z.infer<typeof About> | undefined> {
  if (!(await isVault(place))) return undefined;
  try {
    return About.parse(JSON.parse((await contentOf(await place.read(ABOUT), MOST_BYTES)).toString()));
  } catch {
    throw new BackupError(`${place.title}/${ABOUT} is damaged.`);
  }
}

async function newKey(passphrase: string, workFactor?: number): Promise<Readable> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  if (workFactor) encrypter.setScryptWorkFactor(workFactor);
  return Readable.from([Buffer.from(await encrypter.encrypt(await generateX25519Identity()))]);
}

async function openKey(place: BackupPlace, passphrase: string): Promise<string> {
  const sealed = await place
    .read(KEY)
    .then((stream) => contentOf(stream, MOST_BYTES))
    .catch(() => undefined);
  if (!sealed) throw new BackupError(`${place.title}/${KEY} is missing: without it nobody can open these backups.`);
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  return decrypter.decrypt(sealed, "text").catch(() => {
    throw new BackupError(`The passphrase does not open the backups in ${place.title}.`);
  });
}

const objectPath = (name: string) => `objects/${name.slice(0, 2)}/${name}`;

function plainVault(place: BackupPlace): Vault {
  return { ...place, isEncrypted: false, objectName: objectPath, storedSize: (plain) => plain };
}

async function ageVault(place: BackupPlace, key: string): Promise<Vault> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(key));
  const decrypter = new Decrypter();
  decrypter.addIdentity(key);
  // With a plain checksum as name, anyone who has a photo could prove that the backup contains it.
  const names = Buffer.from(hkdfSync("sha256", key, "", "names of objects", 32));
  const stored = (name: string) => `${name}.age`;
  return {
    title: place.title,
    isEncrypted: true,
    objectName: (sha256) => objectPath(createHmac("sha256", names).update(sha256).digest("hex")),
    storedSize: (plain) => HEADER + plain + TAG * Math.max(1, Math.ceil(plain / PIECE)),
    async write(name, bytes) {
      const sealed = await encrypter.encrypt(Readable.toWeb(bytes) as ReadableStream<Uint8Array>);
      await place.write(stored(name), Readable.fromWeb(sealed as WebStream));
    },
    async read(name) {
      const sealed = await place.read(stored(name));
      const plain = await decrypter.decrypt(Readable.toWeb(sealed) as ReadableStream<Uint8Array>);
      return Readable.fromWeb(plain as WebStream);
    },
    size: (name) => place.size(stored(name)),
    async *list(folder) {
      for await (const name of place.list(folder)) if (name.endsWith(".age")) yield name.slice(0, -".age".length);
    },
    remove: (name) => place.remove(stored(name)),
    removeFolder: (folder) => place.removeFolder(folder),
    removeUnfinished: () => place.removeUnfinished(),
  };
}
