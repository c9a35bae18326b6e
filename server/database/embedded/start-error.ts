/** PostgreSQL's programs in `folder` ended before they were ready; the message is for the administrator. */
export class StartError extends Error {
  constructor(folder: string, output: string) {
    super(reasonOf(folder, output));
    this.name = "StartError";
  }
}

/** The number of lines of PostgreSQL's output in a message. */
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
