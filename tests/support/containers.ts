import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { runCommand } from "../../scripts/commands/desk-commands.mjs";

const DEPLOY = new URL("../../deploy/", import.meta.url);

/** The text of a file in `deploy`. */
export const deployed = (name: string): Promise<string> => readFile(new URL(name, DEPLOY), "utf8");

/** The parts of the last image of `deploy/Containerfile`. */
export interface Image {
  /** Files and folders with the place of each; a place that ends with "/" is a folder around it. */
  copies: { path: string; to: string }[];
  variables: Record<string, string>;
  start: [string, ...string[]];
  healthcheck: [string, ...string[]];
  volumes: string[];
  user: string;
}

/** Reads `deploy/Containerfile`. */
export async function readImage(): Promise<Image> {
  const text = (await deployed("Containerfile")).replace(/\\\n(?: *#.*\n)*/g, " ");
  const image = text.slice(text.lastIndexOf("\nFROM "));
  const lines = (word: string) => [...image.matchAll(new RegExp(`^${word} (.+)$`, "gm"))].map(([, line = ""]) => line);
  const copies = lines("COPY").flatMap((line) => {
    const [to = "", ...from] = line.replace("--from=build ", "").split(" ").reverse();
    return from.map((path) => ({ path: path.replace("/srv/skies/", ""), to }));
  });
  const commandOf = (line = "") => JSON.parse(line.slice(line.indexOf("["))) as [string, ...string[]];
  return {
    copies,
    variables: Object.fromEntries(lines("ENV").flatMap((line) => line.split(" ").map((one) => one.split("=")))),
    start: commandOf(lines("CMD").at(-1)),
    healthcheck: commandOf(lines("HEALTHCHECK").at(-1)),
    volumes: lines("VOLUME").flatMap((line) => line.split(" ")),
    user: lines("USER").at(-1) ?? "root",
  };
}

/** The parts of `deploy/compose.yaml` that tests compare. */
export interface Compose {
  services: Record<
    string,
    {
      image: string;
      command?: string | string[];
      environment?: Record<string, string>;
      volumes?: string[];
      ports?: string[];
      networks: string[] | Record<string, { ipv4_address?: string } | null>;
      configs?: { source: string; target: string }[];
      logging?: { driver: string; options: Record<string, string> };
    }
  >;
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string; ip_range?: string }[] } } | null>;
  volumes: Record<string, null>;
  configs: Record<string, { content: string }>;
}

/** Reads a compose file, with `${NAME}` replaced by values. */
export async function readCompose(values: Record<string, string> = {}, name = "compose.yaml"): Promise<Compose> {
  const text = (await deployed(name)).replace(/\$\{(\w+)\}/g, (whole, one: string) => values[one] ?? whole);
  return parse(text, { merge: true }) as Compose;
}

/** The settings of `deploy/skies.env.example`. */
export const readExample = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    [...(await deployed("skies.env.example")).matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [
      name,
      value,
    ]),
  );

/** Values such as an operator gets from third parties. */
export const OF_PROVIDERS = {
  PUBLIC_URL: "https://skies.test",
  SMTP_URL: "smtps://skies:hunter2@mail.skies.test",
  MAIL_FROM: "Skies <hello@skies.test>",
  MAIL_INFO: "info@skies.test",
  MAIL_WELCOME_BCC: "welcomes@skies.test",
  STRIPE_SECRET_KEY: "sk_live_51Hk3jd8Gk2lKd93kdKE83",
  STRIPE_WEBHOOK_SECRET: "whsec_9dk3Kd93kdLs83mdKd92kd",
  STRIPE_PUBLISHABLE_KEY: "pk_live_51Rk7jd1Gk5lPd42kdTE09",
  TURNSTILE_SITE_KEY: "0x4AAAAAAABkMYinukE8nz",
  TURNSTILE_SECRET_KEY: "0x4AAAAAAABkMYinukE8nzYsLp9d",
};

/** The secrets that `npm run admin -- secrets` prints. */
export async function newSecrets(): Promise<Record<string, string>> {
  const { output } = await runCommand(["secrets"], {});
  return Object.fromEntries([...output.matchAll(/^(\w+)=(.+)$/gm)].map(([, name, value]) => [name, value]));
}

/** Settings with which a server starts in production. */
export const productionSettings = async (): Promise<Record<string, string>> => {
  const { SECRET_KEY = "" } = await newSecrets();
  return { ...OF_PROVIDERS, SECRET_KEY };
};
