import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { freePort } from "../../../scripts/setup/free-port.mjs";
import { serving } from "../../../scripts/setup/serving.mjs";
import { findWebKit } from "../../../scripts/suites/engines.mjs";
import type { Opening } from "./page.ts";

/** The name of an element's property in the protocol. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
type Reference = Record<typeof ELEMENT, string>;

/** A window of WebKit, driven by the standard WebDriver protocol. Each has a profile of its own. */
export interface WebKitSession {
  /** Sends a command of the protocol, e.g. `POST url`. */
  command<Result = unknown>(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<Result>;
  /** Runs a function in the page and resolves to its result. The function uses nothing from outside. */
  run<Args extends unknown[], Result>(work: (...args: Args) => Result, ...args: Args): Promise<Awaited<Result>>;
  /** What pages wrote to the console as errors, and errors that nothing caught. */
  errors: string[];
  close(): Promise<void>;
}

/** Starts a display that nobody sees. Resolves to its name. */
async function openDisplay(): Promise<{ display: string; child: ChildProcess }> {
  const child = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const [number] = await once(child.stdio[3] as NodeJS.ReadableStream, "data");
  return { display: `:${String(number).trim()}`, child };
}

/** Opens a window of WebKit. */
export async function openWebKit({ width = 1280 }: Opening = {}): Promise<WebKitSession> {
  const { driver, browser } = findWebKit() ?? {};
  if (!driver || !browser) throw new Error("WebKit is not installed.");
  const { display, child: screen } = await openDisplay();
  const port = await freePort();
  const child = spawn(driver, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display, LANG: "C.UTF-8", TZ: "Europe/London" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const errors: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (/^CONSOLE \S+ ERROR/.test(line)) errors.push(line);
  });
  const address = `http://127.0.0.1:${port}`;
  const base = `${address}/session`;
  const send = async (method: string, url: string, body?: unknown) => {
    const answer = await fetch(url, { method, ...(method === "POST" && { body: JSON.stringify(body ?? {}) }) });
    const { value } = (await answer.json()) as { value: { error?: string; message?: string } };
    if (!answer.ok) throw new Error(`${method} ${url.replace(base, "")}: ${value.error}: ${value.message}`);
    return value as unknown;
  };
  await serving(address, child, "/status");
  const args = ["--automation", "--enable-write-console-messages-to-stdout=true"];
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": { binary: browser, args } } };
  const { sessionId } = (await send("POST", base, { capabilities })) as { sessionId: string };
  const session: WebKitSession = {
    command: (method, path, body) => send(method, `${base}/${sessionId}/${path}`, body) as Promise<never>,
    run: async (work, ...args) => {
      const script = `const end = arguments[arguments.length - 1], args = Array.from(arguments).slice(0, -1);
        Promise.resolve().then(() => (${work})(...args)).then(value => end({ value }), error => end({ error: String(error) }));`;
      const result = await session.command<{ value: never; error?: string }>("POST", "execute/async", { script, args });
      if (result.error !== undefined) throw new Error(result.error);
      return result.value;
    },
    errors,
    close: async () => {
      await send("DELETE", `${base}/${sessionId}`).catch(() => {});
      for (const process of [child, screen]) {
        const ended = once(process, "exit");
        if (process.kill()) await ended;
      }
    },
  };
  await session.command("POST", "window/rect", { x: 0, y: 0, width, height: 900 });
  return session;
}

/** The id of an element that a script returned; undefined for null. */
export const idOf = (value: unknown): string | undefined => (value as Reference | null)?.[ELEMENT];
/** An element as an argument of a script. */
export const referenceTo = (id: string): Reference => ({ [ELEMENT]: id });
