/** `npm run bench [name]`: runs one benchmark, or all of them, one after the other. */
const benches: Record<string, () => Promise<{ bench(): Promise<void> }>> = {
  database: () => import("./database.ts"),
  gallery: () => import("./gallery.ts"),
  media: () => import("./media.ts"),
  open: () => import("./open.ts"),
  realtime: () => import("./realtime.ts"),
  rest: () => import("./rest.ts"),
  start: () => import("./start.ts"),
};

async function main(asked: string[]) {
  const unknown = asked.filter((name) => !Object.hasOwn(benches, name));
  if (unknown.length > 0) {
    throw new Error(
      `There is no benchmark called ${unknown.join(", ")}. There are: ${Object.keys(benches).join(", ")}.`,
    );
  }
  for (const [name, load] of Object.entries(benches)) {
    if (asked.length === 0 || asked.includes(name)) await (await load()).bench();
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
