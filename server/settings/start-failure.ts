import { DatabaseUnavailableError, OldDatabaseError } from "../database/database.ts";

/** The settings that messages about a failed start may mention. */
interface Where {
  PORT: number;
  METRICS_PORT?: number | undefined;
  METRICS_HOST?: string | undefined;
  HOST: string;
  DATA_DIR: string;
  DATABASE_URL?: string | undefined;
  DATABASE_DIRECT_URL?: string | undefined;
}

/** A failure to use the database at DATABASE_DIRECT_URL. */
export class DirectDatabaseError extends Error {
  constructor(cause: unknown) {
    super((cause as Error).message, { cause });
  }
}

/** Describes a failed start and names the setting to change. For other errors, returns their message. */
export function startFailure(thrown: unknown, where: Where): string {
  const { DATA_DIR } = where;
  const isDirect = thrown instanceof DirectDatabaseError;
  const error = isDirect ? thrown.cause : thrown;
  const setting = isDirect ? "DATABASE_DIRECT_URL" : "DATABASE_URL";
  const databaseUrl = where[setting];
  const { code, syscall, path, message } = error as NodeJS.ErrnoException;
  // A worker does not listen itself: the first process does, and tells it what failed.
  const { hostname } = error as ListenError;
  const isOwnHost = syscall === "getaddrinfo" && [where.HOST, where.METRICS_HOST].includes(hostname);
  if (syscall === "listen" || syscall === "bind" || isOwnHost) {
    const { port, setting, hostSetting, host } = addressOf(error as ListenError, where);
    if (code === "EADDRINUSE")
      return `Port ${port} is taken. Stop the program that uses it, or set ${setting} to another one.`;
    if (code === "EACCES") return `This user may not open port ${port}. Set ${setting} to 1024 or more.`;
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
      return `${host} is no address of this machine. Change ${hostSetting}.`;
  }
  if (code === "ENOSPC" || code === "EDQUOT" || code === "53100") {
    return `The disk that holds ${path ?? DATA_DIR} is full. Free some space and start again; nothing that was saved is lost.`;
  }
  if (code === "EACCES" || code === "EPERM" || code === "EROFS" || code === "ENOTDIR") {
    return `The data folder ${DATA_DIR} cannot be written (${message}). Set DATA_DIR to a folder that can.`;
  }
  if (databaseUrl && error instanceof DatabaseUnavailableError) {
    return `No PostgreSQL answers at ${new URL(databaseUrl).host}. Start it, or change ${setting}.`;
  }
  if (databaseUrl && /^(28|3D)/.test(code ?? "")) return `PostgreSQL refused ${setting}: ${message}.`;
  if (error instanceof OldDatabaseError) return `${setting} leads to an old PostgreSQL. ${message}`;
  return message || String(error);
}

interface ListenError extends NodeJS.ErrnoException {
  port?: number;
  /** Of a failed look-up of its name. */
  hostname?: string;
}

/** Where a server could not listen: at the address of the site or of the metrics. */
function addressOf({ port, hostname }: ListenError, where: Where) {
  const { PORT, HOST, METRICS_PORT, METRICS_HOST } = where;
  const isMetrics =
    port === undefined
      ? hostname !== undefined && hostname === METRICS_HOST && hostname !== HOST
      : port === METRICS_PORT && port !== PORT;
  return isMetrics
    ? { port: METRICS_PORT, setting: "METRICS_PORT", host: METRICS_HOST, hostSetting: "METRICS_HOST" }
    : { port: PORT, setting: "PORT", host: HOST, hostSetting: "HOST" };
}
