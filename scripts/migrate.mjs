import { runCommandFile } from "./setup/command.mjs";

await runCommandFile("migrate");
