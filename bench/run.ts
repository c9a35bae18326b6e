/** `npm run bench [name]`: runs one benchmark, or all of them, one after the other. */
const benches: Record<string, () => Promise<{ bench(): Promise<void> }>> = {
  database: () => import("./database.ts"),
  gallery: () => import("./gallery.ts"),
  media: () => import("./media.ts"),
  realtime: () => import("./realtime.ts"),
};

async function main(asked: string[]) {
  // PGlite throws and catches at every turn; mapping those stacks back to TypeScript would be most of what is measured.
  process.setSourceMapsEnabled(false);
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
