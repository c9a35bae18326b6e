import { parseArgs } from "node:util";
import type { Load } from "./measure.ts";

/** `npm run bench [name]`: runs one benchmark, or all in sequence. */
const benches: Record<string, () => Promise<{ bench(load: Load): Promise<void> }>> = {
  database: () => import("./database.ts"),
  gallery: () => import("./gallery.ts"),
  imports: () => import("./imports.ts"),
  load: () => import("./load.ts"),
  media: () => import("./media.ts"),
  open: () => import("./open.ts"),
  realtime: () => import("./realtime.ts"),
  rest: () => import("./rest.ts"),
  s3: () => import("./s3.ts"),
  scale: () => import("./scale.ts"),
  scaling: () => import("./scaling.ts"),
  start: () => import("./start.ts"),
};

async function main(args: string[]) {
  const { positionals: benchNames, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      people: { type: "string", default: "60" },
      guests: { type: "string", default: "12" },
      minutes: { type: "string", default: "0.3" },
      thinking: { type: "string", default: "10" },
    },
  });
  const { people, guests, minutes, thinking } = values;
  const load = {
    people: Number(people),
    guests: Number(guests),
    minutes: Number(minutes),
    thinking: Number(thinking),
  };
  const unknown = benchNames.filter((name) => !Object.hasOwn(benches, name));
  if (unknown.length > 0) {
    throw new Error(
      `There is no benchmark called ${unknown.join(", ")}. There are: ${Object.keys(benches).join(", ")}.`,
    );
  }
  for (const [name, open] of Object.entries(benches)) {
    if (benchNames.length === 0 || benchNames.includes(name)) await (await open()).bench(load);
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
