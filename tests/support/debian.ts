import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ensureDebian } from "../../scripts/setup/test-programs.mjs";
import { atEnd } from "./at-end.ts";

const root = new URL("../..", import.meta.url).pathname;
const END = "end-of-commands";
const EXTRA_CERTIFICATES = "/etc/extra-certificates.pem";

/** A Debian in a folder, in which commands run as root. Its processes end with it; it shares the network of the test. */
export interface Machine {
  folder: string;
  /** Runs commands, in the same shell each time. Rejects if one fails. Resolves to what they printed. */
  run(commands: string): Promise<string>;
  /** Writes a file in it. */
  write(path: string, text: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens an empty Debian, or a copy of one that is not running. */
export async function openDebian(original?: string): Promise<Machine> {
  const folder = await mkdtemp(join(tmpdir(), "skies-debian-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  await must(spawn("cp", ["--archive", "--reflink=auto", `${original ?? (await ensureDebian())}/.`, folder]));
  // Names are resolved as outside.
  for (const file of ["/etc/resolv.conf", "/etc/hosts"]) await cp(file, join(folder, file), { dereference: true });
  // Certificates of a proxy that this machine is behind.
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  if (certificates) await cp(certificates, join(folder, EXTRA_CERTIFICATES), { dereference: true });
  // The folder is thrown away, so that no package has to reach the disk.
  await mkdir(join(folder, "/etc/dpkg/dpkg.cfg.d"), { recursive: true });
  await writeFile(join(folder, "/etc/dpkg/dpkg.cfg.d/test"), "force-unsafe-io\n");
  const mounts = [
    `mount --rbind /dev ${folder}/dev`,
    `mount -t proc proc ${folder}/proc`,
    `mount -t tmpfs tmpfs ${folder}/run`,
    `exec chroot ${folder} /usr/bin/env --ignore-environment ${certificates ? `NODE_EXTRA_CA_CERTS=${EXTRA_CERTIFICATES}` : ""} HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin /bin/bash -e`,
  ].join(" && ");
  const shell = spawn("unshare", ["--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-c", mounts], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  let output = "";
  let heard = () => {};
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      heard();
    });
  }
  const ended = once(shell, "close");
  const close = async () => {
    shell.kill("SIGKILL");
    await ended;
  };
  atEnd(close);
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  return {
    folder,
    write,
    close,
    async run(commands) {
      output = "";
      // Programs that keep running would otherwise hold the pipes, and read the commands that follow.
      await write("/tmp/commands", `${commands}\n`);
      shell.stdin.write(`source /tmp/commands < /dev/null 2>&1\necho ${END}\n`);
      await new Promise<void>((resolve, reject) => {
        heard = () => output.includes(`${END}\n`) && resolve();
        void ended.then(() => reject(new Error(`The commands failed:\n${commands}\n\n${output}`)));
      });
      return output.replace(`${END}\n`, "");
    },
  };
}

/** The commands of the blocks of a section of a document, in their order: those that begin with ```sh. */
export async function commandsOf(document: string, heading: string): Promise<string[]> {
  const text = await readFile(join(root, document), "utf8");
  const [, section = ""] = text.split(new RegExp(`^#+ ${heading}$`, "m"));
  const end = section.search(/^#{1,3} /m);
  const own = end < 0 ? section : section.slice(0, end);
  return [...own.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = ""]) => commands);
}

async function must(child: ChildProcess) {
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${child.spawnargs.join(" ")} ended with ${code}`);
}
