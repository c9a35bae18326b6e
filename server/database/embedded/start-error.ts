/** Why PostgreSQL's programs in `folder` ended before they served, as a sentence for the person who starts Skies. */
export class StartError extends Error {
  constructor(folder: string, output: string) {
    super(reasonOf(folder, output));
    this.name = "StartError";
  }
}

/** How much of PostgreSQL's own output a message repeats. */
const LINES = 8;

function reasonOf(folder: string, output: string): string {
  if (/No space left on device|Disk quota exceeded/.test(output)) {
    return `The disk that holds ${folder} is full. Free some space and start again; nothing that was saved is lost.`;
  }
  if (/Permission denied|Operation not permitted/.test(output)) {
    return `PostgreSQL may not use ${folder}. Start Skies as the user who owns that folder, or set DATA_DIR to another one.\n${output.trim()}`;
  }
  return `PostgreSQL could not start in ${folder}:\n${output.trim().split("\n").slice(-LINES).join("\n")}`;
}
